/// Whether people see something of a text: a title of spaces and zero-width characters is none, and hides what it stands for.
package enum VisibleText {
  /// Whether it has a character of its own: not only spaces, control characters, what is invisible, and marks without a letter.
  package static func isVisible(_ text: some StringProtocol) -> Bool { text.unicodeScalars.contains(where: isVisible) }

  /// Whether it has characters that control something, or end a line.
  package static func hasControls(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // Fillers are letters to Unicode, and the patterns of Braille begin with one without dots.
    guard !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\u{2800}" else { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark,
      .enclosingMark, .surrogate, .privateUse, .unassigned:
      return false
    default: return true
    }
  }
}
