// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search
import SeededGenerator
import Testing

struct WordsTests {
  private func words(_ text: String) -> [String] {
    Words.words(of: text).map { String(decoding: $0.folded, as: UTF8.self) }
  }

  @Test func ignoresCaseAndAccents() {
    #expect(words("Ärger, Straße & ΟΔΌΣ") == ["arger", "strasse", "οδοσ"])
    #expect(words("e\u{301}te\u{301} été ÉTÉ") == ["ete", "ete", "ete"])
    #expect(words("Łódź Ёлка İstanbul ﬁn") == ["lodz", "елка", "istanbul", "fin"])
    #expect(words("שָׁלוֹם مَرْحَبًا") == ["שלום", "مرحبا"])
  }

  @Test func splitsAtEverythingElse() {
    #expect(words("don't stop: a_b-c.d/e 3.14") == ["don", "t", "stop", "a", "b", "c", "d", "e", "3", "14"])
    #expect(words("🐳whale 🇩🇪") == ["🐳", "whale", "🇩", "🇪"])
    #expect(words("") == [])
    #expect(words("\0 \n ,") == [])
  }

  @Test func splitsTextsWithoutSpacesIntoPairs() {
    #expect(words("東京タワー a") == ["東京", "京タ", "タワ", "ワー", "ー", "a"])
    #expect(words("東") == ["東"])
    #expect(words("a東b") == ["a", "東", "b"])
  }

  @Test func longWordsAreCut() {
    let words = Words.words(of: String(repeating: "a", count: 70) + "ä b")
    #expect(words.map(\.folded.count) == [64, 1])
    #expect(words[0].range == 0..<72)
    #expect(Words.words(of: String(repeating: "鯨", count: 10_000), limit: 7).count == 7)
  }

  /// ASCII is split in another way.
  @Test func otherLettersChangeNothingForWordsOfASCII() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let length = Int.random(in: 0...100, using: &random)
      let bytes = (0..<length).map { _ in
        UInt8.random(in: Bool.random(using: &random) ? 0x61...0x7A : 0...0x7F, using: &random)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      let limit = Int.random(in: 0...20, using: &random)
      #expect(Words.words(of: text) == Words.words(of: text + " é").dropLast())
      #expect(Words.words(of: text, limit: limit) == Array(Words.words(of: text).prefix(limit)))
    }
    #expect(words(String(repeating: "x", count: 65)) == [String(repeating: "x", count: 64)])
  }

  @Test func rangesAreThoseOfTheText() {
    var random = SeededGenerator(seed: 3)
    let alphabet: [Unicode.Scalar] = [
      "a", "B", " ", "é", "\u{301}", "東", "タ", "🐳", "ß", "\0", "א", "ﬁ", "\u{FE0F}", "1",
    ]
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &random) { text.append(alphabet.randomElement(using: &random) ?? "a") }
      let string = String(text)
      let bytes = Array(string.utf8)
      for word in Words.words(of: string) {
        #expect(word.range.upperBound <= bytes.count)
        #expect(String(validating: bytes[word.range], as: UTF8.self) != nil)
        // A word of the text is found by itself.
        let part = String(decoding: bytes[word.range], as: UTF8.self)
        if let search = SearchWords(part) { #expect(search.matches(string), "\(part) in \(string)") }
      }
      guard let search = SearchWords(string) else { continue }
      #expect(search.matches(string))
      for range in search.matches(in: string) {
        #expect(String(validating: bytes[range], as: UTF8.self) != nil)
      }
    }
  }

  @Test func theLastWordMayBeIncomplete() throws {
    let search = try #require(SearchWords("Moby di"))
    #expect(search.matches("moby DICK"))
    #expect(!search.matches("mobydick"))
    #expect(!search.matches("mobys dick"))
    #expect(search.matches(in: "The Moby Dick") == [4..<8, 9..<13])
    #expect(SearchWords(" ,.\0") == nil)
    #expect(SearchWords(String(repeating: "word ", count: 1000))?.parts.count == 1)
  }

  @Test func expressionsOfFTS5ContainWordsOnly() throws {
    let search = try #require(SearchWords("a\" OR \"b* NOT c^"))
    #expect(search.expression(.any) == #""a" AND "or" AND "b" AND "not" AND "c" *"#)
    #expect(try #require(SearchWords("a b")).expression(.title) == ##""#a" AND "#b" *"##)
  }
}
