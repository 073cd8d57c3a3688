// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What is known about a team, except its keys: `team.json`.
struct TeamDescription {
  /// The maximum number of replaced teams that are remembered, so that none of them is entered again.
  static let replacedTeams = 16

  let name: String
  let owners: [UInt32]
  let created: Int64
  /// The teams that this one replaces, the newest first; at most `replacedTeams`.
  let replaces: [TeamID]

  init(name: String, owners: [UInt32], created: Int64, replaces: [TeamID] = []) {
    self.name = name
    self.owners = owners
    self.created = created
    self.replaces = Array(replaces.prefix(Self.replacedTeams))
  }

  init?(json: JSON) {
    guard let object = json.object, let name = object["name"]?.string, let created = object["created"]?.int64,
      let list = object["owners"]?.array, let replaced = (object["replaces"] ?? []).array
    else { return nil }
    let owners = list.compactMap { $0.uint64.flatMap { UInt32(exactly: $0) } }
    let replaces = replaced.compactMap { $0.string.flatMap(Hexadecimal.decode).flatMap { TeamID(bytes: $0) } }
    guard owners.count == list.count, replaces.count == replaced.count, replaces.count <= Self.replacedTeams else {
      return nil
    }
    self.init(name: name, owners: owners, created: created, replaces: replaces)
  }

  /// Returns the same description for other users and other replaced teams.
  func with(owners: [UInt32], replaces: [TeamID]) -> TeamDescription {
    TeamDescription(name: name, owners: owners, created: created, replaces: replaces)
  }

  var json: JSON { .object(members) }

  var members: [String: JSON] {
    var members: [String: JSON] = [
      "name": .string(name), "owners": .array(owners.map { .integer(Int64($0)) }), "created": .integer(created),
    ]
    if !replaces.isEmpty { members["replaces"] = .array(replaces.map { .string(Hexadecimal.encode($0.bytes)) }) }
    return members
  }
}
