import Activity
import JSON

/// An invitation as it is on the administrator's disk: `invitations/<identity>.json`, which becomes
/// `invitations/<identity>.used` when it is redeemed.
struct Invitation {
  /// `K_psk`, 32 bytes.
  let key: [UInt8]
  /// Seconds since 1970.
  let expires: Int64

  init(key: [UInt8], expires: Int64) {
    self.key = key
    self.expires = expires
  }

  init?(bytes: [UInt8]) {
    guard let object = (try? JSON(parsing: bytes, depth: 4))?.object, let expires = object["expires"]?.int64,
      let key = object["key"]?.string.flatMap(Base64.decode)
    else { return nil }
    self.init(key: key, expires: expires)
  }

  var bytes: [UInt8] {
    JSON.object(["key": .string(Base64.encode(key)), "expires": .integer(expires)]).bytes
  }

  /// Where an invitation is, open and used.
  struct Paths {
    let open: String
    let used: String

    init(identity: [UInt8], in directory: TeamDirectory) {
      let name = "\(directory.invitations)/\(Hexadecimal.encode(identity))"
      open = name + ".json"
      used = name + ".used"
    }
  }
}
