import Activity
import JSON
import TLS

/// What a device keeps of the revocations of a team: `revocations.json`, with the discovery key that goes with the
/// list. It is replaced as a whole.
struct RevocationFile {
  /// Bytes of the file: twice what the longest list takes in base 64.
  static let length = 32 * 1024

  let list: RevocationList

  /// The one that the list names.
  let discoveryKey: [UInt8]
  /// Those before, the newest first.
  let previousKeys: [[UInt8]]

  init(list: RevocationList, discoveryKey: [UInt8], previousKeys: [[UInt8]]) {
    self.list = list
    self.discoveryKey = discoveryKey
    self.previousKeys = previousKeys
  }

  /// - Parameter authority: The team's, which must have signed the list.
  init?(bytes: [UInt8], authority: Certificate) {
    guard let object = (try? JSON(parsing: bytes, depth: 4))?.object,
      let der = object["list"]?.string.flatMap(Base64.decode),
      let list = try? RevocationList(der: der, authority: authority),
      let discoveryKey = object["discoveryKey"]?.string.flatMap(Base64.decode), list.isWith(discoveryKey: discoveryKey),
      let previous = object["previousKeys"]?.array
    else { return nil }
    self.init(
      list: list,
      discoveryKey: discoveryKey,
      previousKeys: previous.compactMap { $0.string.flatMap(Base64.decode) }
    )
  }

  var bytes: [UInt8] {
    JSON.object([
      "list": .string(Base64.encode(list.der)), "discoveryKey": .string(Base64.encode(discoveryKey)),
      "previousKeys": .array(previousKeys.map { .string(Base64.encode($0)) }),
    ]).bytes
  }
}
