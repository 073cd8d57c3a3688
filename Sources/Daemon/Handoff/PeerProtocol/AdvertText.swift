// SPDX-License-Identifier: Apache-2.0

/// A sealed advert as the strings of a TXT record (Protocol.md section 2).
package enum AdvertText {
  /// Nonce, ciphertext and tag.
  package static let sealedLength = 12 + Advert.plaintextLength + 16
  /// The sealed bytes in the first of two strings. A TXT string has at most 255 bytes, including its key.
  private static let firstCount = 250
  /// The length of the sign, by which devices with other keys recognize the team's instances.
  package static let signLength = 16
  private static let version = Array("txtvers=1".utf8)

  /// - Parameters:
  ///   - sealed: ``sealedLength`` bytes.
  ///   - sign: ``signLength`` bytes.
  package static func strings(sealed: [UInt8], sign: [UInt8]) -> [[UInt8]] {
    [
      version, Array("a=".utf8) + sealed.prefix(firstCount), Array("r=".utf8) + sign,
      Array("b=".utf8) + sealed.dropFirst(firstCount),
    ]
  }

  /// Returns the sign in the strings of a TXT record; nil if there is none.
  package static func sign(in strings: [[UInt8]]) -> [UInt8]? {
    guard strings.contains(version), let value = value("r=", in: strings), value.count == signLength else { return nil }
    return Array(value)
  }

  /// Returns the sealed advert in the strings of a TXT record; nil if there is none of this version.
  package static func sealed(in strings: [[UInt8]]) -> [UInt8]? {
    guard strings.contains(version) else { return nil }
    guard let first = value("a=", in: strings), let second = value("b=", in: strings), first.count == firstCount,
      first.count + second.count == sealedLength
    else { return nil }
    return Array(first + second)  // Checked: both are bytes.
  }

  private static func value(_ key: String, in strings: [[UInt8]]) -> ArraySlice<UInt8>? {
    strings.first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
  }
}
