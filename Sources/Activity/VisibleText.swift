/// Whether people can see something of a text. A title of spaces and zero-width characters is not a title, and hides
/// what it stands for.
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
