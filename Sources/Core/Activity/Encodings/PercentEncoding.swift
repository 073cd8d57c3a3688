// SPDX-License-Identifier: Apache-2.0

/// The percent encoding of URLs (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// The characters that stand for themselves in a path segment: `unreserved`, `sub-delims`, `:` and `@` of RFC 3986.
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@".utf8
  )
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Whether `byte` may be in a URL's path, query or fragment.
  package static func isAllowed(_ byte: UInt8) -> Bool { plain.contains(byte) || "/?#%".utf8.contains(byte) }

  /// Encodes `bytes` as a path segment.
  package static func encode(_ bytes: [UInt8]) -> String {
    let output = bytes.flatMap { byte in
      // Checked: below 16.
      plain.contains(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns the bytes that `text` encodes. Nil if a `%` is not followed by two hexadecimal digits.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
      output.append(high << 4 | low)
    }
    return output
  }

  private static func value(of digit: UInt8) -> UInt8? {
    // Checked: a small letter.
    let upper = (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit) ? digit - 32 : digit
    return digits.firstIndex(of: upper).map(UInt8.init)
  }
}
