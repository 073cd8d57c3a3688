/// The text of a public key, as NATS writes it: a letter for its kind, the key, and a checksum, in base 32 (`nkeys`).
package enum NATSKey {
  package enum Kind: UInt8, Sendable {
    /// Of an organisation, which authorizes accounts.
    case `operator` = 0x70
    /// Of a team.
    case account = 0x00
    /// Of a device in a team.
    case user = 0xA0
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// - Parameter key: The public key: 32 bytes.
  package static func text(_ kind: Kind, _ key: [UInt8]) -> String {
    let body = [kind.rawValue] + key
    let sum = checksum(body)
    // Checked: two bytes of eight bits.
    return base32(body + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)])
  }

  /// - Returns: The kind and the 32 bytes of the key; nil if it is no such text.
  package static func parse(_ text: String) -> (kind: Kind, key: [UInt8])? {
    guard text.utf8.count == 56 else { return nil }
    var (word, bits, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
    for letter in text.utf8 {
      guard let digit = digits.firstIndex(of: letter) else { return nil }
      // Checked: at most 12 bits wait.
      word = (word << 5 | UInt32(digit)) & 0xFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        // Checked: eight bits.
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    guard bytes.count == 35, let kind = Kind(rawValue: bytes[0]) else { return nil }
    let key = Array(bytes[1..<33])
    return Self.text(kind, key) == text ? (kind, key) : nil
  }

  /// CRC-16 (XMODEM).
  private static func checksum(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
  }

  private static func base32(_ bytes: [UInt8]) -> String {
    var (word, bits, text): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for byte in bytes {
      // Checked: at most 4 bits wait.
      word = (word << 8 | UInt32(byte)) & 0xFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(digits[Int(word >> bits & 31)])
      }
    }
    if bits > 0 { text.append(digits[Int(word << (5 - bits) & 31)]) }
    return String(decoding: text, as: UTF8.self)
  }
}
