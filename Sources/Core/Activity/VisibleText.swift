// SPDX-License-Identifier: Apache-2.0

/// The visible part of a text. A title of spaces and zero-width characters is not a title, and hides what it stands
/// for.
package enum VisibleText {
  /// Whether the text has a character that is visible by itself. Spaces, control characters, invisible characters and
  /// marks without a letter are not.
  package static func isVisible(_ text: some StringProtocol) -> Bool { text.unicodeScalars.contains(where: isVisible) }

  /// Whether the text has control characters, or characters that end a line.
  package static func hasControls(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  /// Whether the scalar ends a line.
  package static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Returns the text as one line in which nothing looks like something else, because titles and names come from other
  /// machines. Invisible characters (soft hyphens, direction marks) are left out.
  ///
  /// - Parameter limit: The maximum length in bytes.
  /// - Returns: Nil if nothing of what is left is visible.
  package static func line(_ text: String, limit: Int) -> String? {
    line(text).map { $0.prefix(utf8Count: limit) }.flatMap { isVisible($0) ? $0 : nil }
  }

  /// Returns the text as ``line(_:limit:)`` does, whatever its length.
  package static func line(_ text: String) -> String? {
    guard isVisible(text) else { return nil }
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar.properties.isWhitespace: if line.last != " " { line.append(" ") }
      // The joiners of emoji and letters.
      case .format where scalar == "\u{200C}" || scalar == "\u{200D}": line.append(scalar)
      case .format: break
      case .control: line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    if line.last == " " { line.removeLast() }
    return String(line.first == " " ? line.dropFirst() : line[...])
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // Fillers are letters to Unicode, and its Braille patterns begin with one without dots.
    guard !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark,
      .enclosingMark, .surrogate, .privateUse, .unassigned:
      return false
    default: return true
    }
  }
}
