// SPDX-License-Identifier: Apache-2.0

/// The text of a relay's ID, as Syncthing writes device IDs: 52 digits in base 32, and after each 13 of them a check
/// letter.
package enum RelayID {
  /// SHA-256 of the certificate.
  package static let byteCount = 32

  private static let groupLength = 13

  /// - Parameter id: 32 bytes.
  package static func text(_ id: [UInt8]) -> String {
    let letters = parts(of: Array(StandardBase32.encode(id).utf8), Self.groupLength).flatMap { $0 + [checkLetter($0)] }
    return parts(of: letters, 7).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  /// - Returns: The 32 bytes; nil if it is no such text, or a letter is wrong. Small letters are accepted, and hyphens
  ///   do not matter.
  package static func parse(_ text: some StringProtocol) -> [UInt8]? {
    let letters = Array(text.uppercased().utf8.filter { $0 != UInt8(ascii: "-") })
    guard letters.count == 56 else { return nil }
    let digits = parts(of: letters, groupLength + 1).flatMap { $0.dropLast() }
    guard let id = StandardBase32.decode(digits), id.count == byteCount else { return nil }
    // This checks the check letters, too.
    return Self.text(id).utf8.filter { $0 != UInt8(ascii: "-") } == letters ? id : nil
  }

  private static func parts(of letters: [UInt8], _ length: Int) -> [ArraySlice<UInt8>] {
    var (rest, parts): (ArraySlice<UInt8>, [ArraySlice<UInt8>]) = (letters[...], [])
    while !rest.isEmpty {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts
  }

  /// Luhn's algorithm modulo 32, as Syncthing has it: the factors begin with 1, from the left.
  private static func checkLetter(_ digits: ArraySlice<UInt8>) -> UInt8 {
    var (sum, factor): (UInt32, UInt32) = (0, 1)
    for value in digits.compactMap(StandardBase32.value) {
      // Checked: at most 62, 13 times.
      let product = factor * value
      // Checked: as above.
      sum += product / 32 + product % 32
      factor = 3 - factor  // Checked: 1 or 2.
    }
    return StandardBase32.digit(32 - sum % 32)  // Checked: at most 31.
  }
}
