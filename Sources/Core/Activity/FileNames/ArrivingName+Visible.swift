// SPDX-License-Identifier: Apache-2.0

extension ArrivingName {
  /// Returns the name such that people see all of it, in its order: without marks of direction and other signs that are
  /// not seen, with a sign for each control character, and without the long gaps that move its end out of sight.
  /// Joiners and variants of letters and emoji stay, and so do bytes that are no text.
  package static func visible(_ name: [UInt8]) -> [UInt8] {
    var name = name
    // What is left out can have stood between the bytes of another sign.
    while case let shorter = once(name), shorter != name { name = shorter }
    return name
  }

  private static func once(_ name: [UInt8]) -> [UInt8] {
    var (seen, gap): ([UInt8], [UInt8]) = ([], [])
    var (blanks, rest) = (0, name[...])
    func close() {
      seen += blanks > mostBlanks ? [0x20] : gap
      (gap, blanks) = ([], 0)
    }
    while let first = rest.first {
      let bytes = rest.prefix(first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4)
      guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
        rest = rest.dropFirst()
        close()
        seen.append(first)
        continue
      }
      rest = rest.dropFirst(bytes.count)
      if isUnseen(scalar) || blanks > 0 && joins(scalar) { continue }
      let isControl = VisibleText.hasControls(String(scalar))
      if !isControl, scalar.properties.isWhitespace || blank.contains(scalar) {
        gap += bytes
        blanks += 1  // Checked: at most one for each byte.
      } else {
        close()
        seen += isControl ? [UInt8(ascii: "_")] : Array(bytes)
      }
    }
    close()
    return seen
  }

  /// More blanks than people write in a row. A column of a list has room for 20 signs or more.
  private static let mostBlanks = 4

  /// Signs that show nothing and are no white space: of braille, music and hieroglyphs.
  private static let blank: Set<Unicode.Scalar> = ["\u{2800}", "\u{1D159}", "\u{13441}", "\u{13442}"]

  /// Whether the scalar joins or changes the sign before it. After a blank, it only makes two gaps of one.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isVariationSelector
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\u{200C}", "\u{200D}": false
    // Around texts that annotate another one.
    case "\u{FFF9}"..."\u{FFFB}": true
    default: scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
    }
  }
}
