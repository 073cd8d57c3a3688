// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import JSONCoding
import Search
import TestSupport
import Testing

@Suite(.isolated) struct SearchingTests {
  private let fixture = Fixture()

  @Test func findsAllWordsAndTheBeginningOfTheLast() throws {
    let index = try fixture.index()
    try index.put(
      [item("1", "Moby Dick"), item("2", "Moby, the musician"), item("3", "Dick and Jane")],
      application: "app",
      now: 1000
    )
    #expect(try Set(fixture.search("moby")) == ["Moby Dick", "Moby, the musician"])
    #expect(try fixture.search("moby di") == ["Moby Dick"])
    #expect(try fixture.search("MÖBY dĭck") == ["Moby Dick"])
    #expect(try fixture.search("mob dick") == [])
    #expect(try fixture.search("") == [])
  }

  @Test func titlesComeBeforeKeywordsAndTheseBeforeTexts() throws {
    let index = try fixture.index()
    try index.put(
      [
        item("1", "Text") { $0.textContent = "A whale of a time" },
        item("2", "Keyword") { $0.keywords = ["whale"] },
        item("3", "Whale"),
        item("4", "Description") { $0.contentDescription = "About a whale" },
      ],
      application: "app",
      now: 1000
    )
    let found = try fixture.search("whale")
    #expect(found.prefix(2) == ["Whale", "Keyword"])
    #expect(Set(found.dropFirst(2)) == ["Text", "Description"])
  }

  @Test func whatIsUsedOftenComesFirstAmongEquals() throws {
    let index = try fixture.index()
    try index.put([item("1", "Whale one"), item("2", "Whale two")], application: "app", now: 1000)
    let words = try #require(SearchWords("whale one"))
    let one = try #require(try fixture.reader().search(words, limit: 1, now: 1000).first)
    let reference = try #require(EntryReference(one.reference))
    for time in [2000.0, 3000, 4000] { try index.recordUse(reference, now: time) }
    #expect(try fixture.search("whale", now: 5000) == ["Whale one", "Whale two"])
    let others = try #require(SearchWords("two"))
    let two = try #require(try fixture.reader().search(others, limit: 1, now: 1000).first)
    for time in stride(from: 5000.0, to: 9000, by: 500) {
      try index.recordUse(try #require(EntryReference(two.reference)), now: time)
    }
    #expect(try fixture.search("whale", now: 9000) == ["Whale two", "Whale one"])
  }

  @Test func anItemAndTheActivityThatShowsItAreOneResult() throws {
    let index = try fixture.index()
    let shown = try activity("a", "Reading of the whale") { $0.relatedIdentifier = "chapter" }
    try index.put([item("chapter", "The whale"), shown], application: "app", now: 1000)
    #expect(try fixture.search("whale") == ["The whale"])
    #expect(try fixture.search("reading") == ["The whale"])
    try index.delete(.items(["chapter"]), application: "app")
    #expect(try fixture.search("reading") == [])
  }

  @Test func anActivityTellsWhatAnItemWithoutATitleIs() throws {
    let index = try fixture.index()
    let shown = try activity("a", "Reading of the whale") { $0.relatedIdentifier = "chapter" }
    try index.put([item("chapter", nil), shown], application: "app", now: 1000)
    #expect(try fixture.search("whale") == ["Reading of the whale"])
  }

  @Test(arguments: [
    "\"", "'", "*", "a*b", "AND", "OR", "NOT", "NEAR(a b)", "title:whale", "^whale", "{a}", "a\0b", "(", ")", "-whale",
    "whale AND", "\"whale", "+", "#whale", "@whale", "🐳", "鯨", "שלום", "مرحبا", "\u{202E}whale",
    "'; DROP TABLE entry; --",
    String(repeating: "whale ", count: 2000), String(repeating: "e\u{301}", count: 5000),
    String(repeating: "a", count: 10000), "\u{FEFF}", "%", "_", "\\", "؟",
  ])
  func wordsAreNeverSyntax(_ text: String) throws {
    let index = try fixture.index()
    try index.put([item("1", "Something else")], application: "app", now: 1000)
    #expect(try fixture.search(text) == [])
    try index.put([item("2", "Found: " + text.prefix(100))], application: "app", now: 1000)
    if SearchWords(text) != nil { #expect(try fixture.search(String(text.prefix(100))).count == 1) }
  }

  @Test func findsPartsOfTextsWithoutSpaces() throws {
    let index = try fixture.index()
    try index.put([item("1", "東京タワーの写真"), item("2", "京都")], application: "app", now: 1000)
    #expect(try fixture.search("タワー") == ["東京タワーの写真"])
    #expect(try fixture.search("写真") == ["東京タワーの写真"])
    #expect(try Set(fixture.search("京")) == ["東京タワーの写真", "京都"])
    #expect(try fixture.search("東都") == [])
  }

  @Test func findsNoActivityThatIsOnlyEligibleForPrediction() throws {
    let index = try fixture.index()
    let predicted = try activity("a", "Predicted whale") {
      $0.isEligibleForSearch = false
      $0.isEligibleForPrediction = true
    }
    try index.put([predicted], application: "app", now: 1000)
    #expect(try fixture.search("whale") == [])
    #expect(try fixture.reader().suggestions(limit: 10, now: 2000, utcOffset: 0).map(\.title) == ["Predicted whale"])
    try index.wipeUses()
    #expect(try fixture.reader().suggestions(limit: 10, now: 2000, utcOffset: 0) == [])
  }

  @Test func manyNewEntriesDoNotHideAnOldTitle() throws {
    fixture.limits.entriesPerShard = 100
    let index = try fixture.index()
    try index.put([item("old", "Whale")], application: "app", now: 1)
    try index.put(
      (0..<600).map { number in item("\(number)", "Entry \(number)") { $0.textContent = "whale" } },
      application: "app",
      now: 2
    )
    #expect(try fixture.search("whale", limit: 1) == ["Whale"])
  }

  @Test func whatHasExpiredIsNotFound() throws {
    let index = try fixture.index()
    let entries = try [
      item("1", "Whale") { $0.expirationDate = 2000 },
      activity("a", "Whaling") {
        $0.expirationDate = 2000
        $0.isEligibleForPrediction = true
      },
    ]
    try index.put(entries, application: "app", now: 1000)
    let reader = fixture.reader()
    let words = try #require(SearchWords("whal"))
    let reference = try #require(EntryReference(try reader.search(words, limit: 9, now: 1999)[0].reference))
    #expect(try reader.search(words, limit: 9, now: 2000) == [])
    #expect(try reader.suggestions(limit: 9, now: 2000, utcOffset: 0) == [])
    #expect(try reader.items(of: "app", index: nil, limit: 9, now: 1999).entries.count == 1)
    #expect(try reader.items(of: "app", index: nil, limit: 9, now: 2000).entries == [])
    #expect(try reader.entry(reference, now: 1999) != nil)
    #expect(try reader.entry(reference, now: 2000) == nil)
  }

  /// A clock that is wrong for a while must not delete what was saved before and after.
  @Test func aWrongClockDeletesNothingForGood() throws {
    let index = try fixture.index()
    try index.put([item("1", "Whale before")], application: "app", now: 1.8e9)
    try index.expire(now: 1.7e9)
    try index.put([item("2", "Whale with the wrong clock")], application: "app", now: 1.7e9)
    try index.expire(now: 1.8e9 + 100)
    try index.put([item("3", "Whale after")], application: "app", now: 1.8e9 + 100)
    #expect(try fixture.search("whale", now: 1.8e9 + 100) == ["Whale after", "Whale before"])
    try index.put([item("4", "Whale from the future")], application: "app", now: 4e9)
    #expect(try fixture.search("whale", now: 1.8e9 + 200).count == 3)
    var forgotten = ForgottenEntries()
    forgotten.since = 1.8e9
    #expect(try index.forget(forgotten) == 3)
  }
}
