import Activity
import JSON
import TLS

/// What a device keeps of the revocations of a team: `revocations.json`, with the discovery keys that go with the lists.
/// It is replaced as a whole.
struct RevocationFile {
  /// Bytes of the file: for each list twice what the longest takes in base 64.
  static let length = (1 + Limits.otherRevocationLists) * 32 * 1024

  /// One at least.
  let lists: RevocationLists
  let newest: RevocationLists.Held
  /// The team's discovery keys before, the newest first.
  let previousKeys: [[UInt8]]

  /// Nil where there is no list.
  init?(lists: RevocationLists, previousKeys: [[UInt8]]) {
    guard let newest = lists.newest else { return nil }
    self.lists = lists
    self.newest = newest
    self.previousKeys = previousKeys
  }

  /// - Parameter authority: The team's, which must have signed the lists.
  init?(bytes: [UInt8], authority: Certificate) {
    // The first versions kept one list, and knew no others.
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
