// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import TLS

/// The revocation lists of a team on a device's disk, with the discovery keys that belong to them: `revocations.json`.
/// The file is replaced as a whole.
struct RevocationFile {
  /// The most bytes of the file: for each list, twice what the longest one takes in base 64.
  static let length = (1 + Limits.otherRevocationLists) * 32 * 1024

  /// At least one list.
  let lists: RevocationLists
  let newest: RevocationLists.Held
  /// The team's previous discovery keys, the newest first.
  let previousKeys: [[UInt8]]

  /// Combines lists and keys. The result is nil if there is no list.
  init?(lists: RevocationLists, previousKeys: [[UInt8]]) {
    guard let newest = lists.newest else { return nil }
    self.lists = lists
    self.newest = newest
    self.previousKeys = previousKeys
  }

  /// - Parameter authority: The team's authority, which must have signed the lists.
  init?(bytes: [UInt8], authority: Certificate) {
    // The first versions kept a single list, and no others.
    guard let json = try? JSON(parsing: bytes, depth: 4), let object = json.object,
      let previous = object["previousKeys"]?.array, let others = (object["others"] ?? []).array
    else { return nil }
    var lists = RevocationLists()
    for json in [json] + others {
      guard let held = Self.held(json, authority) else { return nil }
      lists.insert(held)
    }
    let keys = previous.compactMap { $0.string.flatMap(Base64.decode) }
    guard keys.count == previous.count, keys.count <= Limits.previousDiscoveryKeys,
      (keys + lists.all.map(\.discoveryKey)).allSatisfy({ $0.count == Sealer.keyLength })
    else { return nil }
    self.init(lists: lists, previousKeys: keys)
  }

  var bytes: [UInt8] {
    var members = Self.members(newest)
    members["previousKeys"] = .array(previousKeys.map { .string(Base64.encode($0)) })
    if lists.all.count > 1 { members["others"] = .array(lists.all.dropLast().map { .object(Self.members($0)) }) }
    return JSON.object(members).bytes
  }

  private static func held(_ json: JSON, _ authority: Certificate) -> RevocationLists.Held? {
    guard let der = json.object?["list"]?.string.flatMap(Base64.decode),
      let list = try? RevocationList(der: der, authority: authority),
      let discoveryKey = json.object?["discoveryKey"]?.string.flatMap(Base64.decode),
      list.isWith(discoveryKey: discoveryKey)
    else { return nil }
    return RevocationLists.Held(list, discoveryKey: discoveryKey)
  }

  private static func members(_ held: RevocationLists.Held) -> [String: JSON] {
    ["list": .string(Base64.encode(held.list.der)), "discoveryKey": .string(Base64.encode(held.discoveryKey))]
  }
}
