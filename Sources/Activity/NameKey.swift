/// What makes two names of devices one name for people: names that differ only in case, in signs that look alike, or
/// in what is not seen, have the same key. Only for comparing; nobody is shown a key.
package struct NameKey: Hashable, Sendable {
  private let scalars: [UInt32]

  package init(_ name: String) {
    var scalars: [UInt32] = []
    for scalar in name.unicodeScalars where !Self.isUnseen(scalar) {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !Self.isUnseen(lower) {
        scalars.append(Self.alike(lower))
      }
    }
    self.scalars = scalars
  }

  /// Marks count as unseen, because they hide well on a letter.
  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .surrogate, .unassigned, .privateUse, .spaceSeparator,
      .lineSeparator, .paragraphSeparator:
      true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func alike(_ scalar: Unicode.Scalar) -> UInt32 {
    var value = scalar.value
    // Fullwidth forms, and letters and digits for mathematics.
    switch value {
    case 0xFF01...0xFF5E: value -= 0xFEE0
    case 0x1D400...0x1D6A3: value = 0x61 + (value - 0x1D400) % 26
    case 0x1D7CE...0x1D7FF: value = 0x30 + (value - 0x1D7CE) % 10
    case 0x24D0...0x24E9: value = value - 0x24D0 + 0x61
    default: break
    }
    if (0x41...0x5A).contains(value) { value += 0x20 }
    return lookalikes[value] ?? value
  }

  /// The Latin letter, digit or sign that each looks like. What Latin letters with marks decompose into is there, too,
  /// because a name can have either form.
  private static let lookalikes: [UInt32: UInt32] = {
    let groups: [(Unicode.Scalar, String)] = [
      ("a", "аαɑàáâãäåāăą"), ("b", "ьвƅ"), ("c", "сϲⅽçćĉċč"), ("d", "ԁⅾđď"), ("e", "еєҽèéêëēĕėęě"), ("f", "ғƒ"),
      ("g", "ɡցĝğġģ"), ("h", "һհнĥħ"), ("i", "1lіι|ӏıⅰⅼìíîïĩīĭįĺļľł!"), ("j", "јϳĵ"), ("k", "кκķ"), ("m", "мⅿ"),
      ("n", "пηñńņňո"), ("o", "0оοσօòóôõöøōŏő"), ("p", "рρ"), ("q", "ԛգ"), ("r", "гŕŗř"), ("s", "ѕ5ꜱśŝşš"),
      ("t", "тτţťŧ"), ("u", "υսùúûüũūŭůűų"), ("v", "ѵνⅴ"), ("w", "ԝωшŵ"), ("x", "хχⅹ×"), ("y", "уүγýÿŷ"), ("z", "2źżž"),
      ("-", "_‐‑‒–—―−﹣ー"), (".", "·․。"),
    ]
    var table: [UInt32: UInt32] = [:]
    for (letter, others) in groups {
      for other in others.unicodeScalars where other.properties.generalCategory != .nonspacingMark {
        table[other.value] = letter.value
      }
    }
    return table
  }()
}
