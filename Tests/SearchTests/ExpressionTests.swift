import Activity
import JSONCoding
import Search
import Testing

struct ExpressionTests {
  /// 2024-02-29 12:30:00 UTC, a Thursday.
  private let clock = Moment.Clock(now: 1_709_209_800, utcOffset: 3600)

  private func entry() throws -> SavedEntry {
    var entry = SavedEntry(identifier: "chapter-1")
    entry.title = "Loomings: the Énorme Whale"
    entry.domainIdentifier = "books.moby"
    entry.keywords = ["Ishmael", "sea"]
    entry.textContent = "Call me Ishmael. Some years ago - never mind how long precisely."
    let attributes: [UserInfoValue: UserInfoValue] = [
      .string("rating"): .integer(4), .string("size"): .double(2.5),
      .string("authors"): .array([.string("Melville"), .string("H. M.")]),
      .string("contentCreationDate"): .date(clock.now - 978_307_200 - 3600), .string("isRead"): .bool(true),
      .string("contentURL"): .url("https://example.org/moby"),
    ]
    entry.attributes = UserInfoValue.dictionary(attributes).json
    return entry
  }

  private func matches(_ text: String) throws -> Bool {
    try SearchExpression(parsing: text).matches(try entry(), clock)
  }

  @Test(arguments: [
    #"title == "Loomings: the Énorme Whale""#, #"title=="loomings*"c"#, #"title == "*énorme*"c"#,
    #"title == "*ENORME*"cd"#,
    #"title == "whale"cdw"#, #"title == "the enor*"cdw"#, #"title == 'whale'cdwt"#,
    #"title == "wha*"[cd] || title == "*whale"[c]"#,
    #"kMDItemTitle == "*Whale""#, #"keywords == "Ishmael""#, #"keywords == "ishmael"c"#, #"** == "ishmael"cdw"#,
    #"* == "precisely"cw"#,
    #"**=="melville"c"#, #"authors == "Mel*""#, #"rating == 4"#, #"rating >= 4"#, #"rating < 4.5 && rating > 3"#,
    #"rating != 5"#,
    #"InRange(rating, 4, 6)"#, #"InRange(size,1,3)"#, #"size == 2.5"#, #"isRead == true"#, #"isRead == 1"#,
    #"contentCreationDate > $time.today"#, #"contentCreationDate >= $time.now(-3600)"#,
    #"contentCreationDate < $time.now"#,
    #"InRange(contentCreationDate, $time.today, $time.today(1))"#, #"contentCreationDate > $time.this_week"#,
    #"contentCreationDate > $time.this_month && contentCreationDate < $time.this_month(1)"#,
    #"contentCreationDate > $time.this_year"#,
    #"contentCreationDate >= $time.iso(2024-02-29T11:30:00Z)"#,
    #"contentCreationDate == $time.iso(2024-02-29T12:30:00+01:00)"#,
    #"contentCreationDate > $time.yesterday && contentCreationDate < $time.tomorrow"#,
    #"nothing != "*""#, #"rating == "*""#, #"contentCreationDate == "*""#, #"!(nothing == "*")"#,
    #"domainIdentifier == "books.*""#,
    #"identifier == "chapter-?""#, #"(title == "x" || (rating == 4)) && keywords == "sea""#,
    #"title == "x" || rating == 4 && size == 2.5"#,
    #"contentURL == "*example.org*""#, #"title > "Ahab""#, #"displayName == "*Whale""#, #"textContent == "call me"cw"#,
  ])
  func isMet(_ text: String) throws { #expect(try matches(text)) }

  @Test(arguments: [
    #"title == "Loomings""#, #"title == "loomings*""#, #"title == "*enorme*"c"#, #"title == "hale"cdw"#,
    #"title == "whale the"cdw"#,
    #"keywords == "ish""#, #"rating > 4"#, #"rating == "five""#, #"InRange(rating, 5, 6)"#, #"InRange(rating, 6, 2)"#,
    #"nothing == "*""#,
    #"nothing == 1"#, #"nothing < 1"#, #"contentCreationDate > $time.now"#, #"contentCreationDate < $time.today(-1)"#,
    #"contentCreationDate > $time.iso(2024-03-01)"#, #"keywords != "sea""#,
    #"(title == "x" || rating == 4) && size == 1"#,
    #"title == $time.now"#, #"isRead == false"#, #"title == """#, #"title == "\*""#,
  ])
  func isNotMet(_ text: String) throws { #expect(try !matches(text)) }

  @Test(arguments: [
    ("", 0), ("title", 5), ("title ==", 8), ("title == x", 9), (#"title == "x"#, 9), (#"title == "x")"#, 12),
    (#"(title == "x""#, 13),
    (#"title == "x" &&"#, 15), (#"title == "x" || && a == 1"#, 16), ("a == 1e999", 5), ("a == $time.soon", 5),
    ("a == $date", 5),
    ("a == $time.iso(yesterday)", 5), ("InRange(a, 1)", 12), ("ä && 1", 3), (#""a" == 1"#, 0),
    ("a == $time.today(99999999999999999999)", 5),
    ("a == $time.today(-9223372036854775808)", 5),
  ])
  func saysWhereItIsWrong(_ text: String, _ offset: Int) {
    #expect { try SearchExpression(parsing: text) } throws: { ($0 as? ExpressionError)?.offset == offset }
  }

  @Test func limitsDepthAndLength() {
    let deep = String(repeating: "(", count: 15) + "a == 1" + String(repeating: ")", count: 15)
    #expect(throws: Never.self) { try SearchExpression(parsing: deep) }
    #expect(throws: ExpressionError.self) { try SearchExpression(parsing: "(" + deep + ")") }
    #expect(throws: ExpressionError.self) { try SearchExpression(parsing: String(repeating: "(", count: 5000)) }
    #expect(throws: ExpressionError.self) {
      try SearchExpression(parsing: "a == \"" + String(repeating: "*a", count: 100) + "\"")
    }
  }

  @Test func knowsTheCalendar() throws {
    func date(_ text: String) throws -> SearchExpression { try SearchExpression(parsing: "a == \(text)") }
    var entry = SavedEntry(identifier: "a")
    for (text, iso) in [
      ("$time.today", "2024-02-29"), ("$time.today(1)", "2024-03-01"), ("$time.this_week", "2024-02-26"),
      ("$time.this_week(-1)", "2024-02-19"), ("$time.this_month", "2024-02-01"), ("$time.this_month(-2)", "2023-12-01"),
      ("$time.this_month(11)", "2025-01-01"), ("$time.this_year", "2024-01-01"), ("$time.this_year(-1)", "2023-01-01"),
      ("$time.yesterday", "2024-02-28"),
    ] {
      // Local time is one hour ahead.
      guard case .comparison(_, _, .moment(.date(let day))) = try date("$time.iso(\(iso)T00:00:00+01:00)") else {
        Issue.record("\(iso)")
        continue
      }
      entry.attributes = UserInfoValue.dictionary([.string("a"): .date(day)]).json
      #expect(try date(text).matches(entry, clock), "\(text)")
    }
  }

  @Test func wildcardsTakeLittleTime() throws {
    var entry = SavedEntry(identifier: "a")
    entry.textContent = String(repeating: "a", count: 16_000)
    let expression = try SearchExpression(parsing: "textContent == \"" + String(repeating: "*a", count: 14) + "*b\"")
    let elapsed = ContinuousClock().measure { #expect(!expression.matches(entry, clock)) }
    #expect(elapsed < .seconds(2))
  }
}
