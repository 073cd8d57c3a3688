// SPDX-License-Identifier: Apache-2.0

/// What makes two names of devices one name for people: names that differ only in case, in signs that look alike, or
/// in what is not seen, have the same key. Only for comparing; nobody is shown a key.
package struct NameKey: Hashable, Sendable {
  private let scalars: [UInt32]

  package init(_ name: String) {
    var scalars: [UInt32] = []
    for scalar in name.unicodeScalars where !Self.isUnseen(scalar) {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !Self.isUnseen(lower) {
        for part in Self.plain(lower) {
          scalars.append(Self.lookalikes[part] ?? part)
          guard let letter = Self.pairs.first(where: { scalars.suffix(2).elementsEqual($0.both) })?.letter else {
            continue
          }
          scalars.removeLast(2)
          scalars.append(letter)
        }
      }
    }
    // What is at the end is hardly seen: `desktop·`.
    while let last = scalars.last, Self.ends.contains(last) { scalars.removeLast() }
    self.scalars = scalars
  }

  private static let ends = Set(".-':".unicodeScalars.map(\.value))

  /// Marks count as unseen, because they hide well on a letter.
  static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .surrogate, .unassigned, .privateUse, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      true
    // Braille patterns begin with one without dots.
    default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
    }
  }

  /// Whether the scalar is a mark or a part of a syllable that Unicode also has within letters: U+304B and U+3099 are
  /// U+304C.
  static func isPartOfLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0653...0x0655, 0x093C, 0x09BC, 0x0A3C, 0x0B3C, 0x1100...0x11FF, 0x3099...0x309A,
      0xA960...0xA97F, 0xD7B0...0xD7FF:
      true
    default: false
    }
  }

  /// The plain letters or the digit that a sign is a form of: with a mark, in a circle, small, wide, for mathematics,
  /// or several in one. The sign itself if there are none.
  private static func plain(_ scalar: Unicode.Scalar) -> [UInt32] {
    guard !scalar.isASCII, lookalikes[scalar.value] == nil else { return [scalar.value] }
    let properties = scalar.properties
    if let letter = withoutMark(properties) { return [letter] }
    if properties.numericType == .decimal || properties.numericType == .digit, let number = properties.numericValue {
      return [0x30 + UInt32(number)]
    }
    if (0xFF01...0xFF5E).contains(scalar.value) { return [scalar.value - 0xFEE0] }
    // Unicode's names say it for all of them: LATIN SMALL LETTER E WITH ACUTE.
    let words = (properties.name ?? "").split(atScalar: " ").prefix { !$0.utf8.elementsEqual("WITH".utf8) }
    guard words.count > 1, let letters = words.last, letters.utf8.count <= 3,
      words.contains(where: { word in forms.contains { $0.utf8.elementsEqual(word.utf8) } }),
      letters.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { return [scalar.value] }
    return letters.utf8.map { UInt32($0) + 0x20 }
  }

  /// The Greek, Cyrillic or Armenian letter of which the sign is a form with a mark. To `String`, U+03CC is U+03BF and
  /// U+0301.
  private static func withoutMark(_ properties: Unicode.Scalar.Properties) -> UInt32? {
    guard let name = properties.name, let mark = name.utf8.firstRange(ofBytes: " WITH ".utf8) else { return nil }
    return letters[String(name[..<mark.lowerBound])]
  }

  /// Letters by their names.
  private static let letters: [String: UInt32] = {
    var table: [String: UInt32] = [:]
    for value in UInt32(0x0370)...0x058F {
      guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else { continue }
      table[name] = scalar.properties.lowercaseMapping.unicodeScalars.first?.value
    }
    return table
  }()

  /// Words in the names of signs that are forms of Latin letters.
  private static let forms = [
    "LATIN", "MATHEMATICAL", "MODIFIER", "SCRIPT", "DOUBLE-STRUCK", "BLACK-LETTER", "REGIONAL",
  ]

  /// Letters and signs that look like one, as in UTS #39 and in usual fonts: `clesktop` like `desktop`. An `l` is an
  /// `i` here.
  private static let pairs: [(both: [UInt32], letter: UInt32)] = {
    let texts: [(String, Unicode.Scalar)] = [
      ("rn", "m"), ("nn", "m"), ("vv", "w"), ("ci", "d"), ("''", "\""), ("\u{E40}\u{E40}", "\u{E41}"),
      ("\u{905}\u{93E}", "\u{906}"), ("\u{985}\u{9BE}", "\u{986}"),
      ("\u{A85}\u{ABE}", "\u{A86}"), ("\u{B92}\u{BB3}", "\u{B94}"), ("\u{B05}\u{B3E}", "\u{B06}"),
    ]
    return texts.map { (both: $0.unicodeScalars.map(\.value), letter: $1.value) }
  }()

  /// The Latin letter, digit or sign that each looks like.
  private static let lookalikes: [UInt32: UInt32] = {
    let groups: [(Unicode.Scalar, String)] = [
      ("a", "аαɑꓮⲁ"), ("b", "ьвƅᏏꓐⲃꞵ"), ("c", "сϲⅽᏟꓚⲥ"), ("d", "ԁⅾᎠꓓð"), ("e", "еєёҽᎬꓰⲉ℮"), ("f", "ғƒꓝ"), ("g", "ɡցᏀꓖ"),
      ("h", "һհнᎻꓧⲏ"), ("i", "1lіι|ӏıⅰⅼ!ᎥᏞꓲꓡⲓ"), ("j", "јϳᎫꓙ"), ("k", "кκᏦꓗⲕ"), ("m", "мⅿᎷꓟⲙ"), ("n", "пηոꓠⲛ"),
      ("o", "0оοσօꓳⲟഠ〇○◯ဝတסჿ၀هଠⵔ\u{104EA}\u{1042C}"), ("p", "рρϱᏢꓑⲣ"), ("q", "ԛգ"), ("r", "гᎡꓣ"), ("s", "ѕ5ꜱႽᏚꓢƽ"),
      ("t", "тτᎢꓔⲧ"),
      ("u", "υսꓴ"), ("v", "ѵνⅴᏙꓦ"), ("w", "ԝωшᏔꓪ"), ("x", "хχⅹ×ꓫⲭ"), ("y", "уүγᎩꓬⲩ"), ("z", "2Ꮓꓜⲍ"),
      ("-", "_‐‑‒–—―−﹣ー"), (".", "·․。,‚，、"), ("'", "`´‘’‛ʹʻʼˈ′＇՚"), ("\"", "“”‟″〃"), (":", "：։"),
      ("/", "⁄∕／"), ("~", "∼～˜"),
      // Chinese signs, and signs of Japanese that look like them, or like each other.
      ("口", "ロ"), ("二", "ニ"), ("工", "エ"), ("力", "カ"), ("夕", "タ"), ("卜", "ト"), ("八", "ハ"), ("へ", "ヘ"),
      ("り", "リ"),
      ("べ", "ベ"), ("ぺ", "ペ"), ("才", "オ"), ("千", "チ"), ("三", "ミ"), ("干", "于"), ("日", "曰"), ("土", "士"), ("未", "末"),
      ("己", "已巳"),
      // Letters of Arabic that have the same forms within words, and those of Indian scripts with and without a sign
      // that is not seen.
      ("ي", "یىېئ"), ("ك", "کڪ"), ("ه", "ہھەةۀ"), ("ا", "أإآٱ"), ("و", "ؤ"),
      ("ന", "ൻ"), ("ര", "ർ"), ("ല", "ൽ"), ("ള", "ൾ"), ("ണ", "ൺ"),
      ("\u{E32}", "\u{E33}"), ("ש", "\u{FB2A}\u{FB2B}"),
    ]
    var table: [UInt32: UInt32] = [:]
    for (letter, others) in groups {
      for other in others.unicodeScalars { table[other.value] = letter.value }
      // Capital letters, too.
      for other in others.lowercased().unicodeScalars { table[other.value] = letter.value }
    }
    return table
  }()
}
