// SPDX-License-Identifier: Apache-2.0

import Activity

/// Some of the user's teams, as a file names them.
package enum TeamChoice: Equatable, Sendable {
  /// The maximum number of teams that the configuration may name: as many as one user may have.
  package static let sharingTeams = 16

  case all
  /// Names or IDs of teams, separated by commas in the file. Empty for none.
  case named([String])

  package static let none = TeamChoice.named([])

  /// Reads names, `all` or `none`. Nothing is the default.
  package init(_ value: Substring, default usual: TeamChoice) throws(UnusableSetting) {
    let names = value.split(atScalar: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    let word = names.first { ["all", "none"].contains($0.lowercased()) }
    if let word, names.count > 1 {
      throw UnusableSetting("\"\(word)\" can't be combined with team names")
    }
    guard names.count <= Self.sharingTeams else {
      throw UnusableSetting("at most \(Self.sharingTeams) teams can be listed")
    }
    if names.isEmpty {
      self = usual
    } else {
      self = word.map { $0.lowercased() == "all" ? .all : .none } ?? .named(names)
    }
  }

  /// Returns the teams among these.
  ///
  /// - Parameters:
  ///   - teams: The teams' IDs as people see them, and their names.
  ///   - unusable: The names of teams that cannot be used, and do not give them away.
  /// - Returns: The IDs, and the names for which there is no team, or more than one.
  package func chosen(
    among teams: [(id: String, name: String)],
    beside unusable: [String]
  ) -> (ids: Set<String>, unclear: [String]) {
    guard case .named(let names) = self else { return (Set(teams.map(\.id)), []) }
    var (ids, unclear): (Set<String>, [String]) = ([], [])
    for name in names {
      let exact = teams.filter { $0.id == name.uppercased() }
      let meant = exact.isEmpty ? teams.filter { $0.name.hasBytes(of: name) } : exact
      let isTaken = exact.isEmpty && unusable.contains { $0.hasBytes(of: name) }
      if meant.count == 1, !isTaken { ids.insert(meant[0].id) } else { unclear.append(name) }
    }
    return (ids, unclear)
  }
}
