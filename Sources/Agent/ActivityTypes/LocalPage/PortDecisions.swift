// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The user's answers to the question whether the machines of a team may use a port of this machine.
package struct PortDecisions: Equatable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let port: UInt16
    /// The ID of the team.
    package let team: String

    package init(port: UInt16, team: String) { (self.port, self.team) = (port, team) }
  }

  /// Those that may be used, ordered by the time of the answer.
  package private(set) var allowed: [Entry] = []
  /// Those about which the user isn't asked again, in the same order.
  package private(set) var refused: [Entry] = []

  package init() {}

  /// Nil if it cannot be read.
  init?(json: JSON) {
    guard let members = json.object, let allowed = Self.entries(members["allowed"]),
      let refused = Self.entries(members["refused"])
    else { return nil }
    for entry in allowed { _ = allow(entry) }
    for entry in refused where !self.allowed.contains(entry) { refuse(entry) }
  }

  private static func entries(_ json: JSON?) -> [Entry]? {
    guard let json, !json.isNull else { return [] }
    guard let all = json.array, all.count <= LocalPageLimits.decisions else { return nil }
    let entries = all.compactMap { entry -> Entry? in
      guard let port = entry.object?["port"]?.int64.flatMap({ UInt16(exactly: $0) }), port > 0,
        let team = entry.object?["team"]?.string
      else { return nil }
      return Entry(port: port, team: team)
    }
    return entries.count == all.count ? entries : nil
  }

  var json: [String: JSON] { ["allowed": Self.json(allowed), "refused": Self.json(refused)] }

  private static func json(_ entries: [Entry]) -> JSON {
    .array(entries.map { ["port": .integer(Int64($0.port)), "team": .string($0.team)] })
  }

  /// - Returns: False if too many are allowed. Nothing has changed then.
  package mutating func allow(_ entry: Entry) -> Bool {
    if allowed.contains(entry) { return true }
    guard allowed.count < LocalPageLimits.decisions else { return false }
    refused.removeAll { $0 == entry }
    allowed.append(entry)
    return true
  }

  /// Takes back that entries are allowed, because that couldn't be saved. What was decided about them since then stays.
  ///
  /// - Parameter before: The decisions before that.
  /// - Returns: The entries that are allowed no longer.
  package mutating func undo(_ entries: [Entry], _ before: PortDecisions) -> [Entry] {
    let undone = entries.filter { allowed.contains($0) && !before.allowed.contains($0) }
    for entry in undone {
      // Only what was there before may be there again.
      if before.refused.contains(entry) { refuse(entry) } else { forget(entry.port, team: entry.team) }
    }
    return undone
  }

  /// If there are too many, the user is asked again about the oldest.
  package mutating func refuse(_ entry: Entry) {
    allowed.removeAll { $0 == entry }
    guard !refused.contains(entry) else { return }
    if refused.count >= LocalPageLimits.decisions { refused.removeFirst() }
    refused.append(entry)
  }

  /// - Parameter team: Nil for all teams.
  package mutating func forget(_ port: UInt16, team: String?) {
    let isMeant: (Entry) -> Bool = { $0.port == port && (team == nil || $0.team == team) }
    allowed.removeAll(where: isMeant)
    refused.removeAll(where: isMeant)
  }
}
