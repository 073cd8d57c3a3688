// SPDX-License-Identifier: Apache-2.0

/// In which script a name is written. Browsers show a host whose letters are of several scripts otherwise, too, because
/// letters of one look like letters of another: `pc-з` like `pc-3`.
enum WrittenScript {
  /// Whether all letters and digits are of one script that people write today, and no sign could be a letter, a
  /// parenthesis or nothing. Latin letters can stand beside Chinese, Japanese and Korean ones, and ASCII digits beside
  /// all.
  static func isOne(of name: String) -> Bool {
    var scripts: Set<String> = []
    for scalar in name.unicodeScalars where !scalar.isASCII {
      let properties = scalar.properties
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
        .letterNumber, .otherNumber:
        guard let script = script(of: properties), !isCopy(properties) else { return false }
        if script == latin, !isUsual(scalar) { return false }
        scripts.insert(script)
      // The marks of Indian scripts. Unicode's names begin with the script, too.
      case .spacingMark:
        guard let script = script(of: properties), script != latin else { return false }
        scripts.insert(script)
      case .mathSymbol, .modifierSymbol, .otherSymbol: guard properties.isEmojiPresentation else { return false }
      default: break
      }
    }
    // `ANNA` in Greek capitals. Those that the lowercase letters say (`NameKey`) are others.
    let letters = name.unicodeScalars.filter { $0.properties.isAlphabetic }
    if !letters.isEmpty, letters.allSatisfy(latinShapes.contains) { return false }
    let hasASCIILetters = name.unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
    if hasASCIILetters { scripts.insert(latin) }
    return scripts.count <= 1 || scripts == [latin, chinese]
  }

  /// Capital letters of other scripts that look like Latin ones.
  private static let latinShapes = Set("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧՕՏՍ".unicodeScalars)

  private static let latin = "LATIN"
  private static let chinese = "CJK"

  /// Nil if people do not write it today.
  private static func script(of properties: Unicode.Scalar.Properties) -> String? {
    // Those of Chinese signs are made of numbers, and not in every table.
    guard let name = properties.name else { return properties.isIdeographic ? chinese : nil }
    let word = String(Substring(name.utf8.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }))
    return scripts[word]
  }

  /// Whether Unicode has the letter once more, for texts of older systems: forms of Arabic letters by their places,
  /// wide letters of Hebrew and ideographs of other tables look the same. What only makes a word longer is no letter.
  private static func isCopy(_ properties: Unicode.Scalar.Properties) -> Bool {
    let words = (properties.name ?? "").split(atScalar: " ")
    return words.contains { word in copies.contains { word.hasBytes(of: $0) } }
  }

  private static let copies = ["COMPATIBILITY", "FORM", "LIGATURE", "WIDE", "ALTERNATIVE", "TATWEEL", "SHIFTED"]

  /// Scripts by the first words of Unicode's names.
  private static let scripts: [String: String] = {
    var table = [
      "LATIN": latin, "CJK": chinese, "HIRAGANA": chinese, "KATAKANA": chinese, "HANGUL": chinese, "BOPOMOFO": chinese,
      "IDEOGRAPHIC": chinese, "EXTENDED": "ARABIC",
    ]
    let others = [
      "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW", "ARABIC", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA",
      "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "GEORGIAN", "ETHIOPIC",
      "KHMER", "MONGOLIAN",
    ]
    for script in others { table[script] = script }
    return table
  }()

  /// Whether this Latin letter is one of ASCII's with a mark, or one of those that people write in names.
  private static func isUsual(_ letter: Unicode.Scalar) -> Bool {
    if "æœßþðøłđŋəıÆŒẞÞÐØŁĐŊƏİ".unicodeScalars.contains(letter) { return true }
    let name = letter.properties.name ?? ""
    let end = name.utf8.firstRange(ofBytes: " WITH ".utf8)?.lowerBound ?? name.utf8.endIndex
    let words = name[..<end].split(atScalar: " ")
    return words.count == 4 && words[2].utf8.elementsEqual("LETTER".utf8) && words[3].utf8.count == 1
  }
}
