// SPDX-License-Identifier: Apache-2.0

/// Finds out whether texts match a pattern.
struct TextMatcher: Sendable {
  /// The pattern as bytes, which texts that are only ASCII are compared with. Nil if it has other characters.
  private let bytes: [Glob<UInt8>]?
  private let characters: [Glob<Character>]
  private let options: TextPattern.Options

  init(_ pattern: TextPattern) {
    let folding = pattern.options.subtracting([.words, .tokens])
    func fold(_ segments: [String]) -> [[Character]] {
      segments.map { FoldedText<Character>($0, folding).units }
    }
    let tokens = pattern.options.contains(.tokens) ? pattern.tokens.map(fold).filter { $0 != [[]] } : []
    let folded = tokens.isEmpty ? [fold(pattern.segments)] : tokens
    let isOfWords = !tokens.isEmpty || pattern.options.contains(.words)
    characters = folded.map { Glob($0, isOfWords: isOfWords) }
    let isASCII = folded.allSatisfy { $0.allSatisfy { $0.allSatisfy(\.isASCII) } }
    bytes = isASCII ? folded.map { Glob($0.map { $0.compactMap(\.asciiValue) }, isOfWords: isOfWords) } : nil
    options = isOfWords ? pattern.options : folding
  }

  func matches(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      guard let bytes else { return false }
      let folded = FoldedText(ascii: text, options)
      return bytes.allSatisfy { $0.matches(folded) }
    }
    let folded = FoldedText<Character>(text, options)
    return characters.allSatisfy { $0.matches(folded) }
  }
}

extension TextPattern {
  /// The words of the text, each in the form of `segments`. A wildcard belongs to the words that touch it.
  fileprivate var tokens: [[String]] {
    var tokens: [[String]] = [[""]]
    for (index, segment) in segments.enumerated() {
      if index > 0 { tokens[tokens.count - 1].append("") }
      for character in segment {
        if character.isSeparator {
          tokens.append([""])
        } else {
          var token = tokens.removeLast()
          token.append((token.popLast() ?? "") + String(character))
          tokens.append(token)
        }
      }
    }
    return tokens.filter { $0 != [""] }
  }
}

extension Character {
  fileprivate var isSeparator: Bool {
    guard let first = unicodeScalars.first else { return true }
    return first.isASCII ? !UInt8(ascii: first).isASCIIWord : ScalarKind(first) == .separator
  }
}
