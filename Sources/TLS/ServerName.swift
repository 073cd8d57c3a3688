import Activity

/// The server name (SNI) by which a client says which team it wants, in a way that only that team can read: Protocol.md
/// section 3. It authenticates nobody.
package enum ServerName {
  static let nonceLength = 12
  static let codeLength = 16
  /// 28 bytes in base 32.
  static let length = 45

  /// - Parameter nonce: 12 random bytes.
  package static func make(nonce: [UInt8] = SystemRandom.bytes(nonceLength), key: [UInt8]) -> String {
    Base32.encode(nonce + code(of: nonce, key: key)).lowercased()
  }

  /// Whether `name` was made with `key`.
  package static func matches(_ name: String, key: [UInt8]) -> Bool {
    guard name.utf8.count == length, let bytes = Base32.decode(name), bytes.count == nonceLength + codeLength else {
      return false
    }
    let nonce = Array(bytes.prefix(nonceLength))
    return equalInConstantTime(Array(bytes.dropFirst(nonceLength)), code(of: nonce, key: key))
  }

  private static func code(of nonce: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMACSHA256.authenticate(nonce, key: key).prefix(codeLength))
  }
}
