// SPDX-License-Identifier: Apache-2.0

import Activity

/// Rows in columns as wide as their widest cell.
enum Table {
  /// - Parameters:
  ///   - cells: Printable text. A column whose cells are all empty is left out.
  ///   - head: The names of the columns. If it is empty, no names are shown.
  static func text(_ cells: [[String]], head: [String] = []) -> String {
    let columns = (0..<(cells.map(\.count).max() ?? 0)).filter { column in
      cells.contains { $0.indices.contains(column) && !$0[column].isEmpty }
    }
    let rows = (head.isEmpty ? [] : [head]) + cells
    let widths = columns.map { column in
      rows.map { $0.indices.contains(column) ? width(of: $0[column]) : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(columns, widths).map { column, width in
        let cell = row.indices.contains(column) ? row[column] : ""
        return cell + String(repeating: " ", count: max(0, width - Self.width(of: cell)))
      }
      var line = cells.joined(separator: "  ")[...]
      while let start = line.start(beforeBytesOf: " ") { line = start }
      return String(line)
    }.joined(separator: "\n")
  }

  /// Lines of a label and a text each. Labels without a text have no line, but their place, so that the texts of a
  /// command always begin in the same column.
  static func lines(_ rows: [(label: String, text: String?)]) -> String {
    let labels = padded(Dictionary(rows.map { ($0.label, $0.label) }, uniquingKeysWith: { label, _ in label }))
    return rows.compactMap { label, text in text.map { "\(labels[label] ?? label) \($0)" } }.joined(separator: "\n")
  }

  /// The labels with spaces after them, so that all take as many columns.
  static func padded<Key: Hashable>(_ labels: [Key: String]) -> [Key: String] {
    let widest = labels.values.map(width).max() ?? 0
    return labels.mapValues { $0 + String(repeating: " ", count: widest - width(of: $0)) }
  }

  /// How many columns of a terminal the text takes.
  static func width(of text: String) -> Int {
    var isEscape = false
    return text.reduce(0) { total, character in
      // An escape sequence that emphasizes text takes none.
      if character == "\u{1B}" { isEscape = true }
      // What follows it may combine with its last letter.
      defer { if character.unicodeScalars.first == "m" { isEscape = false } }
      return isEscape ? total : total + width(of: character)
    }
  }

  /// East Asian wide characters and emoji take two columns (Unicode Standard Annex 11).
  // Characters: A terminal shows each of them in its own columns.
  private static func width(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: \.properties.isEmojiPresentation) { return 2 }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
