// SPDX-License-Identifier: Apache-2.0

/// Splits texts into words.
///
/// A word consists of letters and digits. Emoji are words. Scripts without spaces between words have a word for each
/// two characters that follow one another, and one for the last character. So each part of such a text is found.
package enum Words {
  /// Returns the words of a text, in order.
  ///
  /// - Parameter limit: The maximum number of words.
  package static func words(of text: String, limit: Int = .max) -> [Word] {
    if let words = asciiWords(of: Array(text.utf8), limit: limit) { return words }
    var words = Splitter(limit: limit)
    var offset = 0  // Checked offset: a sum of lengths of parts of the text.
    for scalar in text.unicodeScalars {
      if words.isFull { return words.words }
      let end = offset + UTF8.width(scalar)  // Checked: at most the length of the text.
      words.append(scalar, offset..<end)
      offset = end
    }
    words.endWord()
    words.endCharacter()
    return words.words
  }
}

extension Words {
  /// The same as ``words(of:limit:)``, several times as fast. Nil if not all of the text is ASCII.
  private static func asciiWords(of text: [UInt8], limit: Int) -> [Word]? {
    guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
    var words: [Word] = []
    var rest = text[...]
    while words.count < limit, let start = rest.firstIndex(where: \.isASCIIWord) {
      let end = rest[start...].firstIndex { !$0.isASCIIWord } ?? rest.endIndex
      let folded = text[start..<end].prefix(Word.maximumLength).map(\.lowercased)
      words.append(Word(folded: folded, range: start..<end))
      rest = text[end...]
    }
    return words
  }
}

/// The words so far, and the one that has begun.
private struct Splitter {
  let limit: Int
  private(set) var words: [Word] = []
  private var folded: [UInt8] = []
  private var range: Range<Int>?
  /// Whether the word is as long as a word can be.
  private var isCut = false
  /// The last character of a text without spaces.
  private var character: Word?

  init(limit: Int) { self.limit = limit }

  var isFull: Bool { words.count >= limit }

  mutating func append(_ scalar: Unicode.Scalar, _ place: Range<Int>) {
    let kind: ScalarKind =
      scalar.isASCII ? UInt8(ascii: scalar).isASCIIWord ? .letter : .separator : ScalarKind(scalar)
    if kind != .character, kind != .mark { endCharacter() }
    switch kind {
    case .letter:
      let start = range?.lowerBound ?? place.lowerBound
      if !isCut {
        let length = folded.count
        scalar.fold(to: &folded)
        isCut = folded.count > Word.maximumLength
        if isCut { folded.removeLast(folded.count - length) }
      }
      range = start..<place.upperBound
    case .mark:
      if let range { self.range = range.lowerBound..<place.upperBound }
    case .character:
      endWord()
      var bytes: [UInt8] = []
      scalar.fold(to: &bytes)
      let next = Word(folded: bytes, range: place, isCharacter: true)
      if let character { add(character, and: next) }
      character = next
    case .symbol:
      endWord()
      add(Word(folded: Array(String(scalar).utf8), range: place))
    case .separator: endWord()
    }
  }

  mutating func endWord() {
    if let range, !folded.isEmpty { add(Word(folded: folded, range: range)) }
    range = nil
    isCut = false
    folded.removeAll(keepingCapacity: true)
  }

  mutating func endCharacter() {
    if let character { add(character) }
    character = nil
  }

  private mutating func add(_ first: Word, and second: Word) {
    let range = first.range.lowerBound..<second.range.upperBound
    add(Word(folded: first.folded + second.folded, range: range, isCharacter: true))
  }

  private mutating func add(_ word: Word) { if !isFull { words.append(word) } }
}
