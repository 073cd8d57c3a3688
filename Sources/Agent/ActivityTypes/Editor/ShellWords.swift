// SPDX-License-Identifier: Apache-2.0

/// Splits a command line such as that of `$EDITOR` into its words, as a POSIX shell does it, but expands nothing:
/// neither variables nor commands nor patterns. No shell runs.
package enum ShellWords {
  /// Returns the words. Nil if a quotation mark is not closed or a backslash is last.
  package static func split(_ text: String) -> [String]? {
    var scanner = Scanner()
    for scalar in text.unicodeScalars { scanner.take(scalar) }
    return scanner.words
  }

  private struct Scanner {
    private enum Quotation { case none, single, double }

    private var finished: [String] = []
    /// Nil between words. A word can be empty: `''`.
    private var word: String?
    private var quotation = Quotation.none
    private var isEscaped = false

    var words: [String]? {
      guard quotation == .none, !isEscaped else { return nil }
      return finished + [word].compactMap(\.self)
    }

    mutating func take(_ scalar: Unicode.Scalar) {
      if isEscaped { return takeEscaped(scalar) }
      switch (quotation, scalar) {
      case (.none, "'"): open(.single)
      case (.none, "\""): open(.double)
      case (.single, "'"), (.double, "\""): quotation = .none
      case (.none, "\\"), (.double, "\\"): isEscaped = true
      case (.none, " "), (.none, "\t"), (.none, "\n"):
        if let word { finished.append(word) }
        word = nil
      default: append(scalar)
      }
    }

    private mutating func takeEscaped(_ scalar: Unicode.Scalar) {
      isEscaped = false
      // Between double quotation marks, a backslash is literal before most characters.
      if quotation == .double, !["$", "`", "\"", "\\", "\n"].contains(scalar) { append("\\") }
      if scalar != "\n" { append(scalar) }
    }

    private mutating func open(_ quotation: Quotation) {
      self.quotation = quotation
      word = word ?? ""
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
      var text = word ?? ""
      text.unicodeScalars.append(scalar)
      word = text
    }
  }
}
