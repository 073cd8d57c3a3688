// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a person searches for.
package struct SearchWords: Equatable, Sendable {
  /// The maximum number of words that are searched for. More are ignored.
  private static let searchWords = 16

  /// One of the words that must be found.
  package struct Part: Hashable, Sendable {
    package let folded: [UInt8]
    /// Whether the word may go on.
    package let isPrefix: Bool

    /// Whether it is this word, or the beginning of it.
    package func matches(_ word: [UInt8]) -> Bool { isPrefix ? word.starts(with: folded) : word == folded }
  }

  /// At least one.
  package let parts: [Part]

  /// Reads what a person typed, up to limits. Nil if there is no word in it.
  package init?(_ text: String) {
    var words = Words.words(of: String(text.utf8Prefix(Limits.searchWordsLength)), limit: 4 * Self.searchWords)
    // Within a text without spaces, the last character is part of the pair before it.
    words = words.enumerated().filter { index, word in
      guard word.isCharacter, index > 0 else { return true }
      let previous = words[index - 1]  // Checked: index is greater than 0.
      return !(previous.isCharacter && previous.range.upperBound == word.range.upperBound)
    }.map(\.element)
    var parts: [Part] = []
    for word in words.prefix(Self.searchWords) {
      let isLast = word == words.last
      let part = Part(folded: word.folded, isPrefix: isLast || word.isOneCharacter)
      if !parts.contains(part) { parts.append(part) }
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// Whether a text contains all words. The index is not needed for that.
  package func matches(_ text: String) -> Bool {
    let words = Words.words(of: text)
    return parts.allSatisfy { part in words.contains { part.matches($0.folded) } }
  }

  /// Returns where the words are in a text, in bytes, in ascending order.
  package func matches(in text: String) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for word in Words.words(of: text) where parts.contains(where: { $0.matches(word.folded) }) {
      if let last = ranges.last, last.upperBound >= word.range.lowerBound, word.isCharacter || last == word.range {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, word.range.upperBound)
      } else {
        ranges.append(word.range)
      }
    }
    return ranges
  }
}

extension Word {
  fileprivate var isOneCharacter: Bool {
    isCharacter && String(decoding: folded, as: UTF8.self).unicodeScalars.count == 1
  }
}

extension String {
  /// The longest prefix with at most this number of bytes that does not split a character of Unicode.
  func utf8Prefix(_ length: Int) -> Substring {
    guard utf8.count > length else { return self[...] }
    var end = utf8.index(startIndex, offsetBy: length)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end]
  }
}
