// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Makes text from elsewhere safe: a terminal shows it and does not obey it, and it is one line in a log.
package enum Printable {
  /// Returns `text` with some characters escaped, as `\u{1b}`: control characters, invisible ones that change the
  /// writing direction or hide something, and those without a defined meaning.
  ///
  /// - Parameter limit: The maximum length of the result in bytes. A longer text is cut, and ends with `…`.
  package static func text(_ text: some StringProtocol, limit: Int = .max) -> String {
    var output = ""
    var length = 0
    for scalar in text.unicodeScalars {
      let piece = isHarmless(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
      length += piece.utf8.count
      guard length <= limit else { return output + "…" }
      output += piece
    }
    return output
  }

  /// Returns the same for a name. If it is longer than `limit`, its middle is left out: its end says what a file is.
  ///
  /// - Parameter limit: The maximum length of the result in bytes, without the `…`.
  package static func name(_ text: some StringProtocol, limit: Int) -> String {
    let pieces = text.unicodeScalars.map { Self.text(String($0)) }
    guard pieces.reduce(0, { $0 + $1.utf8.count }) > limit else { return pieces.joined() }
    var rest = limit / 2
    func fits(_ piece: String) -> Bool {
      rest -= piece.utf8.count
      return rest >= 0
    }
    let start = pieces.prefix(while: fits)
    rest = limit / 2
    return start.joined() + "…" + pieces.reversed().prefix(while: fits).reversed().joined()
  }

  /// Does the same with text that contains line breaks, and removes the one at its end.
  package static func lines(_ text: String) -> String {
    let lines = text.split(atScalar: "\n", omittingEmptySubsequences: false).map { Self.text($0) }
    return (lines.last == "" ? lines.dropLast() : lines).joined(separator: "\n")
  }

  /// Returns JSON text in which the same characters are escaped in JSON's way. The value is the same.
  package static func json(_ json: JSON) -> String {
    var output = ""
    for scalar in json.text.unicodeScalars {
      if isHarmless(scalar) {
        output.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return output
  }

  /// Whether nothing in the text needs escaping.
  package static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isHarmless) }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    case .format: scalar == "\u{200D}"  // joins emoji
    default: true
    }
  }
}
