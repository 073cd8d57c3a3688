// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The ports of this machine that the user's other machines may use, each in one team. The user has allowed them.
package struct AllowedPorts: Equatable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let port: UInt16
    /// The ID of the team.
    package let team: String

    package init(port: UInt16, team: String) { (self.port, self.team) = (port, team) }
  }

  /// Ordered by the time at which they were allowed.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// Nil if it cannot be read. Nothing is allowed then.
  package init?(json: JSON) {
    guard let all = json.object?["allowed"]?.array, all.count <= LocalPageLimits.allowed else { return nil }
    for entry in all {
      guard let port = entry.object?["port"]?.int64.flatMap({ UInt16(exactly: $0) }), port > 0,
        let team = entry.object?["team"]?.string
      else { return nil }
      _ = allow(Entry(port: port, team: team))
    }
  }

  package var json: JSON {
    ["allowed": .array(entries.map { ["port": .integer(Int64($0.port)), "team": .string($0.team)] })]
  }

  package func contains(_ entry: Entry) -> Bool { entries.contains(entry) }

  /// - Returns: False if there are too many.
  package mutating func allow(_ entry: Entry) -> Bool {
    if entries.contains(entry) { return true }
    guard entries.count < LocalPageLimits.allowed else { return false }
    entries.append(entry)
    return true
  }

  /// - Parameter team: Nil for all teams.
  /// - Returns: Those that were allowed.
  package mutating func forget(_ port: UInt16, team: String?) -> [Entry] {
    let forgotten = entries.filter { $0.port == port && (team == nil || $0.team == team) }
    entries.removeAll(where: forgotten.contains)
    return forgotten
  }
}
