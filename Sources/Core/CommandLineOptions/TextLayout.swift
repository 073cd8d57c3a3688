// SPDX-License-Identifier: Apache-2.0

import Activity

/// Lays out the help for a terminal.
package enum TextLayout {
  /// The columns of a terminal that everybody has.
  static let width = 80

  /// Two columns: names, and texts that are wrapped.
  package static func table(_ rows: [(name: String, text: String)]) -> String {
    let column = (rows.map(\.name.count).max() ?? 0) + 4
    let indent = "\n" + String(repeating: " ", count: column)
    return rows.map { name, text in
      let words = text.split(atScalar: " ").map(String.init)
      let padding = String(repeating: " ", count: column - name.count - 2)
      return "  " + name + padding + lines(of: words, width: width - column).joined(separator: indent)
    }.joined(separator: "\n")
  }

  /// Joins words to lines that are as wide as possible. A word that is wider has a line of its own.
  static func lines(of words: [String], width: Int) -> [String] {
    words.reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
  }
}
