// SPDX-License-Identifier: Apache-2.0

/// The teams that see what is played. An activity is current in one team, or in all of the user's.
package enum PlaybackTeam: Equatable, Sendable {
  case all
  /// - Parameter omitted: How many other teams were chosen, which do not see it.
  case one(String, omitted: Int)
  case none

  /// - Parameters:
  ///   - teams: The teams' IDs as people see them, and their names.
  ///   - unusable: The names of teams that cannot be used.
  package init(_ choice: TeamChoice, among teams: [(id: String, name: String)], beside unusable: [String]) {
    guard case .named(let names) = choice else {
      self = .all
      return
    }
    let chosen = choice.chosen(among: teams, beside: unusable).ids
    // In the order in which they are named.
    let first = names.lazy.compactMap { TeamChoice.named([$0]).chosen(among: teams, beside: unusable).ids.first }.first
    guard let first else {
      self = .none
      return
    }
    // A team that the user joins later sees nothing of what was meant for the only one.
    self = chosen.count > 1 && chosen.count == teams.count ? .all : .one(first, omitted: chosen.count - 1)
  }
}
