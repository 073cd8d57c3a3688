// SPDX-License-Identifier: Apache-2.0

/// Base 32 with the alphabet of RFC 4648, section 6, and without padding. `Base32` has another alphabet.
enum StandardBase32 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var (word, bits, text): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for byte in bytes {
      // Checked: at most 4 bits wait.
      word = (word << 8 | UInt32(byte)) & 0xFFF
      bits += 8
      while bits >= 5 {
        bits -= 5
        text.append(digit(word >> bits & 31))
      }
    }
    if bits > 0 { text.append(digit(word << (5 - bits) & 31)) }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: The bytes; nil if there are other characters. Bits of the last digit that do not fill a byte are
  ///   dropped.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var (word, bits, bytes): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for letter in text {
      guard let value = value(of: letter) else { return nil }
      // Checked bits: at most 12 bits wait.
      word = (word << 5 | value) & 0xFFF
      bits += 5
      if bits >= 8 {
        bits -= 8
        // Checked: eight bits.
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }

  /// - Parameter value: Below 32.
  static func digit(_ value: UInt32) -> UInt8 { digits[Int(value & 31)] }  // Checked: there are 32.

  static func value(of digit: UInt8) -> UInt32? { digits.firstIndex(of: digit).map { UInt32($0) } }
}
