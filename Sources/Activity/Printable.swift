import JSON

/// Text from elsewhere that a terminal shows and does not obey, and that is one line in a log.
package enum Printable {
  /// `text` with every control character, and every invisible one that turns the direction of writing or hides
  /// something, as `\u{1b}`.
  ///
  /// - Parameter limit: Bytes; of a longer text the begin, and `…`.
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

  /// The same for text of several lines, without the line break at its end.
  package static func lines(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { Self.text($0) }
    return (lines.last == "" ? lines.dropLast() : lines).joined(separator: "\n")
  }

  /// JSON text in which the same characters are escaped as JSON does it; the value is the same.
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

  /// Whether nothing in the text would be escaped.
  package static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isHarmless) }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    case .format: scalar == "\u{200D}"  // joins emoji
    default: true
    }
  }
}
