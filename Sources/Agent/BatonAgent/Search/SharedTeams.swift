// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop

/// The teams with which the index is shared: those that the configuration names and that the daemon lets this agent
/// speak for, and no others.
struct SharedTeams {
  var choice = TeamChoice.none
  /// The teams for which the daemon lets this agent speak, by their IDs. Nil if it has not said so yet.
  private var known: [String: IndexTeam]?
  /// The names of those that cannot be used.
  private var unusable: [String] = []
  private var complaints: Set<String> = []
  /// Those with which it is shared, with the devices that were removed from each.
  private(set) var removed: [String: Set<String>] = [:]

  var names: [String] { removed.keys.compactMap { known?[$0]?.name }.sorted() }

  /// Whether the others are not shared with. What their machines shared before is not deleted only because the daemon
  /// has not answered yet.
  var isCertain: Bool { known != nil || choice == .none }

  /// This machine's ID in a team.
  func device(in team: String) -> String? { known?[team]?.deviceID.text }

  mutating func received(_ teams: [IndexTeam], unusable: [String]) {
    known = Dictionary(teams.map { ($0.id, $0) }) { first, _ in first }
    self.unusable = unusable
  }

  /// Chooses the teams again, because the configuration or the daemon's answer has changed.
  ///
  /// - Returns: The names in the configuration that have just turned out to mean no team, and whether several have it.
  mutating func update() -> [(name: String, isAmbiguous: Bool)] {
    let teams = known ?? [:]
    let (ids, unclear) = choice.chosen(among: teams.values.map { ($0.id, $0.name) }, beside: unusable)
    removed = teams.filter { ids.contains($0.key) }.mapValues { Set($0.removed.map(\.text)) }
    guard known != nil else { return [] }
    let new = unclear.filter { !complaints.contains($0) }
    complaints = Set(unclear)
    return new.map { name in (name, teams.values.contains { $0.name.hasBytes(of: name) }) }
  }
}
