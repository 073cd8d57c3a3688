import Activity
import JSON
import TLS

/// What a device keeps of the revocations of a team: `revocations.json`. It is replaced as a whole.
struct RevocationFile {
  /// Bytes of the file: twice what the longest list takes in base 64.
  static let length = 32 * 1024

  let list: RevocationList

  init(list: RevocationList) { self.list = list }

  /// - Parameter authority: The team's, which must have signed the list.
  init?(bytes: [UInt8], authority: Certificate) {
    guard let object = (try? JSON(parsing: bytes, depth: 4))?.object,
      let der = object["list"]?.string.flatMap(Base64.decode),
      let list = try? RevocationList(der: der, authority: authority)
    else { return nil }
    self.init(list: list)
  }

  var bytes: [UInt8] { JSON.object(["list": .string(Base64.encode(list.der))]).bytes }
}
