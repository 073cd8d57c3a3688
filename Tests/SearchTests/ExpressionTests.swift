// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search
import Testing

/// Expressions, and what matches them.
struct ExpressionTests {
  /// 2026-03-18 12:00:00 UTC, a Wednesday.
  static let now = 1_773_835_200.0
  /// The same in seconds since 2001.
  static let reference = 795_528_000.0
  static let day = 86400.0

  static func matches(
    _ text: String,
    _ entry: SavedEntry,
    utcOffset: @escaping (Double) -> Double = { _ in 0 }
  ) throws -> Bool {
    SearchMatcher(try SearchExpression(parsing: text), now: now, utcOffset: utcOffset).matches(entry)
  }

  static func titled(_ title: String) -> SavedEntry {
    var entry = SavedEntry(identifier: "a")
    entry.title = title
    return entry
  }

  /// The examples of Apple's documentation, and more of their kind.
  @Test(
    arguments: [
      (#"title == "Paris""#, ["Paris"], ["paris", "I love Paris", "Pari"]),
      (#"title == "Paris"c"#, ["Paris", "paris", "PARIS"], ["I love Paris", "París"]),
      (#"title == "Paris"wc"#, ["Paris", "I love Paris", "paris-france.jpg"], ["Comparison", "Parisian"]),
      (#"title == "Window"w"#, ["MyWindowClass", "Broken Window", "Window"], ["NSWindow", "Windows", "window"]),
      (#"title == "Frédéric""#, ["Frédéric", "Fre\u{301}de\u{301}ric"], ["Frederic", "FRÉDÉRIC"]),
      (#"title == "Frédéric"cd"#, ["Frédéric", "Frederic", "FREDERIC", "fre\u{301}de\u{301}ric"], ["Frederick"]),
      (#"title == "Frederic"d"#, ["Frédéric", "Frederic"], ["frédéric", "FRÉDÉRIC"]),
      (#"title == "FREDERIC"d"#, ["FRÉDÉRIC"], ["Frédéric"]),
      (#"title == "FRÉDÉRIC"c"#, ["frédéric", "fre\u{301}de\u{301}ric"], ["frederic"]),
      (#"title == "paris*""#, ["paris", "parisol", "paris x"], ["comparison", "Paris"]),
      (#"title == "*paris""#, ["paris", "to paris"], ["parisol", "paris."]),
      (#"title == "*paris*""#, ["paris", "parisol", "comparison"], ["pari", "PARIS"]),
      (#"title == 'paris'"#, ["paris"], ["Paris", "paris "]),
      (#"title == "a*b*c""#, ["abc", "a-b-c", "abbcc", "aabbc"], ["ab", "acb", "abcd"]),
      (#"title == "ab*ba""#, ["abba", "ab ba"], ["aba", "ab"]),
      (#"title == "*""#, ["", "anything", "é"], []),
      ("title == *", ["anything"], []),
      ("title == Paris", ["Paris"], ["paris"]),
      ("title == par*", ["paris"], ["Paris"]),
      ("title = 'paris'", ["paris"], ["Paris"]),
      (#"title ==[cd] "paris""#, ["PARÍS"], ["comparison"]),
      (#"title ==[c]"paris"d"#, ["PARÍS"], ["comparison"]),
      (#"title == """#, [""], ["a", " "]),
      (#"title == ""w"#, [""], ["a"]),
      (#"title == "straße"c"#, ["STRASSE", "Straße"], ["STRASE"]),
      (#"title == "*ß*"c"#, ["GROSSE", "Maße"], ["S"]),
      // Escapes
      (#"title == "2 \* 3""#, ["2 * 3"], ["2 + 3"]),
      (#"title == "say \"hi\"""#, [#"say "hi""#], ["say hi"]),
      (#"title == 'it\'s'"#, ["it's"], ["its"]),
      (#"title == "it's""#, ["it's"], ["its"]),
      (#"title == 'a "b"'"#, [#"a "b""#], ["a b"]),
      (#"title == "a\\b""#, [#"a\b"#], ["ab", #"a\\b"#]),
      (#"title == "\n\é""#, ["né"], ["\n"]),
      (#"title == "What?""#, ["What?"], ["Whats"]),
      // A part can consist of nothing but accents.
      ("title == \"a*\u{301}*b\"d", ["ab", "a b"], ["a"]),
      ("title == \"a \u{301} b\"dt", ["b a"], ["a"]),
      // Words
      (#"title == "par*"wc"#, ["in Paris today", "par"], ["compar", "spar"]),
      (#"title == "*ris"wc"#, ["in Paris today"], ["rising", "parish"]),
      (#"title == "in*day"w"#, ["not in paris today", "in-day"], ["sin today", "in days"]),
      (#"title == "love Paris"wc"#, ["I love Paris", "I Love Paris!"], ["love, Paris", "glove Paris", "Paris love"]),
      (#"title == "Fenster"w"#, ["MeinFenster", "das-Fenster", "FensterÜbersicht"], ["Fensters", "Schaufenster"]),
      (#"title == "本"w"#, ["日本語", "本"], ["日語"]),
      (#"title == "aa"w"#, ["aaa aa", "aaa-aa-a"], ["aaa", "aaaa"]),
      // Tokens
      (#"title == "paris love"cdt"#, ["I love París", "Paris, love"], ["I loved Paris", "Paris"]),
      (#"title == "lov* paris"ct"#, ["Paris, I loved", "love paris"], ["glove paris", "lov"]),
      (#"title == "--"t"#, ["--"], ["a--b", "-"]),
      // The other comparisons
      (#"title != "Paris""#, ["paris", "I love Paris"], ["Paris"]),
      (#"title != "*paris*"c"#, ["London"], ["Comparison"]),
      (#"!(title == "Paris")"#, ["paris"], ["Paris"]),
      (#"! title == "Paris""#, ["paris"], ["Paris"]),
      (#"!!(title == "Paris")"#, ["Paris"], ["paris"]),
      (#"title == "a*" && title == "*b""#, ["ab", "a b"], ["a", "b"]),
      (#"title == "a" || title == "b""#, ["a", "b"], ["ab"]),
      // && binds more tightly than ||.
      (#"title == "a" || title == "b*" && title == "*c""#, ["a", "bc"], ["b", "c", "ac"]),
      (#"(title == "a" || title == "b*") && title == "*c""#, ["bc"], ["a", "b"]),
      ("  (  title=='a'||title=='b')&&title!='b'  ", ["a"], ["b"]),
      ("title\t==\n\"a\"\r\n", ["a"], ["b"]),
    ]
  )
  func textsAreCompared(text: String, matching: [String], others: [String]) throws {
    for title in matching { #expect(try Self.matches(text, Self.titled(title)), "\(title)") }
    for title in others { #expect(try !Self.matches(text, Self.titled(title)), "\(title)") }
  }

  private static let book = {
    var entry = SavedEntry(identifier: "id-7")
    entry.domainIdentifier = "novels.whales"
    entry.relatedIdentifier = "other"
    entry.title = "Moby-Dick"
    entry.contentDescription = "A voyage"
    entry.keywords = ["whale", "Ahab"]
    entry.textContent = "Call me Ishmael"
    entry.expirationDate = 978_307_200 + 5000
    entry.thumbnailData = "AAAA"
    entry.attributes = [
      "displayName": "The Whale", "rating": 4, "duration": ["$double": "3"], "price": 9.5, "allDay": true,
      "version": "2",
      "dueDate": ["$date": .string("\(reference + 3600)")], "authorNames": ["Herman", "Melville"],
      "pageCounts": [100, 635], "contentURL": ["$url": "file:///moby.txt"], "raw": ["$data": "AAAA"], "nothing": nil,
      "size": .unsigned(.max), "tags": ["$set": ["sea", "ship"]], "nested": [["deep"]], "map": ["key": "value"],
    ]
    return entry
  }()

  @Test(
    arguments: [
      (#"uniqueIdentifier == "id-7""#, true), (#"domainIdentifier == "novels.*""#, true),
      (#"domainIdentifier == "novels""#, false), (#"relatedUniqueIdentifier == "other""#, true),
      (#"contentDescription == "*voy*""#, true), (#"textContent == "ishmael"wc"#, true),
      // An element is enough.
      (#"keywords == "ah*"c"#, true), (#"keywords == "whale""#, true), (#"keywords == "whaleAhab""#, false),
      (#"keywords != "whale""#, false), (#"keywords != "shark""#, true), (#"authorNames == "Melville""#, true),
      (#"tags == "ship""#, true), (#"nested == "deep""#, true), ("pageCounts > 600", true), ("pageCounts < 100", false),
      // Names are those of the attributes.
      (#"Title == "Moby-Dick""#, false), (#"displayName == "*whale"c"#, true), (#"identifier == "id-7""#, false),
      (#"contentURL == "*.txt""#, true), (#"map == "value""#, false),
      // Numbers and truth values
      ("rating == 4", true), ("rating == 4.0", true), (#"rating == "4""#, true), ("rating != 4", false),
      ("rating >= 4", true),
      ("rating > 4", false), ("rating<5", true), ("rating <= 3.9", false), ("duration == 3", true),
      ("price == 95e-1", true),
      ("price > -1", true), ("allDay == 1", true), ("allDay == true", true), ("allDay == NO", false),
      ("allDay != false", true),
      ("version == 2", true), ("version > 1", false), ("size > 1e19", true), ("rating == 4*", false),
      ("rating == 0x4", false),
      ("rating == nan", false), ("rating == inf", false),
      ("InRange(rating, 4, 5)", true), ("InRange(rating,1,3.5)", false), ("inrange( rating , 3 , 4 )", true),
      ("InRange(title, 0, 1)", false), ("InRange(pageCounts, 600, 700)", true),
      // What is not there
      ("missing == *", false), ("missing != *", true), (#"missing != "a""#, true), ("missing < 1", false),
      ("title == *", true),
      ("rating == *", true), ("raw == *", false), ("nothing == *", false), ("thumbnailData == *", false),
      ("dueDate == *", true),
      // Any attribute
      (#"* == "Herman""#, true), (#"** == "*ishmael*"c"#, true), ("* == 635", true), ("** == 636", false),
      ("**==id-7", true),
      (#"** == "AAAA""#, false), (#"** != "Herman""#, false),
      // Dates
      ("expirationDate == 5000", true), ("expirationDate < 5000", false), ("expirationDate <= 5000", true),
      ("dueDate > $time.now", true), ("dueDate < $time.now(3600.5)", true), ("dueDate == $time.now(3600)", true),
      ("dueDate == $time.now", false), ("dueDate == $time.today", true), ("dueDate == $time.today()", true),
      ("dueDate == $time.today(0)", true), ("dueDate == $time.today(-1)", false),
      ("dueDate == $time.yesterday(1)", true),
      ("dueDate == $time.this_week", true), ("dueDate == $time.last_week", false),
      ("dueDate == $time.last_week(+1)", true),
      ("dueDate == $time.this_month", true), ("dueDate == $time.this_month(12)", false),
      ("dueDate == $time.this_year", true),
      ("dueDate != $time.this_year", false), ("dueDate >= $time.today", true), ("dueDate < $time.today( 1 )", true),
      ("InRange(dueDate, $time.today(-10), $time.today(1))", true),
      ("InRange(dueDate,$time.today(-10),$time.today)", false),
      ("dueDate == $time.iso(2026-03-18T13:00:00Z)", true), ("dueDate == $time.iso('2026-03-18T14:00:00+01:00')", true),
      (#"dueDate == $time.iso( "2026-03-18T08:00-0500" )"#, true),
      ("dueDate == $time.iso(2026-03-18T13:00:00.25Z)", false),
      ("dueDate == $time.iso(2026-03-18T13:00:00)", true), ("dueDate == $time.iso(2026-03-18)", true),
      ("dueDate == $time.iso(2026-03-17)", false), ("dueDate < $time.iso(2026-03-19)", true),
      ("title == $time.today", false), ("rating > $time.iso(2000-12-31)", true),
    ] as [(String, Bool)]
  )
  func attributesAreCompared(text: String, isMatching: Bool) throws {
    #expect(try Self.matches(text, Self.book) == isMatching)
  }

  @Test func attributesWithNamesThatLookTheSameAreFound() throws {
    var entry = SavedEntry(identifier: "a")
    let values: [UserInfoValue: UserInfoValue] = [
      .string("\u{E9}"): .integer(1), .string("e\u{301}"): .integer(2), .string("rating"): .integer(5),
    ]
    entry.attributes = UserInfoValue.dictionary(values).json
    #expect(entry.attributes?.object?["$dictionary"] != nil)
    #expect(try Self.matches("rating == 5", entry) && Self.matches("** == 2", entry))
  }

  @Test func attributesThatAreWrongAreNotThere() throws {
    var entry = Self.titled("a")
    for attributes: JSON in ["text", 5, [1], ["x": ["$date": "never"]], ["$dictionary": [1, [2], ["x"]]], nil] {
      entry.attributes = attributes
      #expect(try !Self.matches("x == *", entry) && Self.matches("** == a", entry))
    }
  }

  @Test func longTextsTakeLittleTime() throws {
    // Comparing at each place anew would take a billion steps.
    var entry = SavedEntry(identifier: "a")
    entry.textContent = String(repeating: "a", count: Limits.entryTextLength)
    let part = String(repeating: "a", count: 1000)
    let text = "textContent == \"\(Array(repeating: "\(part)b", count: 3).joined(separator: "*"))\"w"
    let began = ContinuousClock.now
    #expect(try !Self.matches(text, entry))
    #expect(ContinuousClock.now - began < .seconds(2))
  }
}
