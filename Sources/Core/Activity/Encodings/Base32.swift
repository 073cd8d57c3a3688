// SPDX-License-Identifier: Apache-2.0

/// Crockford's base 32. It has no I, L, O and U, so codes survive being read aloud and typed. See
/// https://www.crockford.com/base32.html.
package enum Base32 {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  /// The value of each character as a digit, or `noDigit`.
  private static let values = (UInt8.min ... .max).map { value(of: $0) ?? noDigit }
  private static let noDigit: UInt8 = 32

  /// Encodes `bytes`, five bits per digit. Zero bits fill up the last digit.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = digits
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        output.append(digits[Int(bits >> UInt32(count)) & 31])  // Checked: below 32.
      }
      bits &= 0xFF
    }
    // Checked: below 32, and there are 1 to 4 bits.
    if count > 0 { output.append(digits[Int(bits << UInt32(5 - count)) & 31]) }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the bytes that `text` encodes. Nil if `text` contains anything but digits. Lower-case letters are also
  /// digits; O is 0, and I and L are 1. Bits of the last digits that do not fill a byte are dropped.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let values = values
    var output: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text.utf8 {
      let value = values[Int(character)]  // Checked: there are 256.
      guard value < noDigit else { return nil }
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
      bits &= 0xFF
    }
    return output
  }

  private static func value(of character: UInt8) -> UInt8? {
    // Checked: a small letter.
    let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character) ? character - 32 : character
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return digits.firstIndex(of: upper).map(UInt8.init)
    }
  }
}
