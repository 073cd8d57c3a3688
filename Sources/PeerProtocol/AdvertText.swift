/// A sealed advert as the strings of a TXT record (Protocol.md section 2).
package enum AdvertText {
  /// Nonce, ciphertext and tag.
  package static let sealedLength = 12 + Advert.plaintextLength + 16
  /// A TXT string is at most 255 bytes long, its key included.
  private static let firstCount = 250
  private static let version = Array("txtvers=1".utf8)

  /// - Parameter sealed: ``sealedLength`` bytes.
  package static func strings(sealed: [UInt8]) -> [[UInt8]] {
    [version, Array("a=".utf8) + sealed.prefix(firstCount), Array("b=".utf8) + sealed.dropFirst(firstCount)]
  }

  /// The sealed advert in the strings of a TXT record; nil where there is none of this version.
  package static func sealed(in strings: [[UInt8]]) -> [UInt8]? {
    guard strings.contains(version) else { return nil }
    func value(_ key: String) -> ArraySlice<UInt8>? {
      strings.first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
    }
    guard let first = value("a="), let second = value("b="), first.count == firstCount,
      first.count + second.count == sealedLength
    else { return nil }
    return Array(first + second)
  }
}
