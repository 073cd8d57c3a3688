// SPDX-License-Identifier: Apache-2.0

/// Base 64 for URLs, without padding (RFC 4648, section 5), as JWTs have it.
package enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      // Checked: a group has at most three bytes.
      let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      // Checked: an index has six bits.
      for position in 0...group.count { text.append(digits[Int(word >> (18 - 6 * UInt32(position)) & 63)]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes that `text` encodes. Nil if it is not what ``encode(_:)`` returns for them.
  package static func decode(_ text: String) -> [UInt8]? {
    var (word, bits, bytes): (UInt32, UInt32, [UInt8]) = (0, 0, [])
    for letter in text.utf8 {
      guard let digit = digits.firstIndex(of: letter) else { return nil }
      // Checked bits: at most 6 wait.
      word = (word << 6 | UInt32(digit)) & 0xFFF
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      // Checked: eight bits.
      bytes.append(UInt8(truncatingIfNeeded: word >> bits))
    }
    return encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
  }
}
