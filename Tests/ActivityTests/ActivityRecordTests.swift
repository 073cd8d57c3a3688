// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

struct ActivityRecordTests {
  private let id = ActivityID(randomBytes: (1, 2))

  private func record(_ change: (inout ActivityRecord) -> Void = { _ in }) throws -> ActivityRecord {
    var record = try ActivityRecord(id: id, activityType: "org.example.reading")
    change(&record)
    return record
  }

  // MARK: Types

  @Test(arguments: ["a", "org.example.reading", "com.example.App-2.view_file", "0.1", "-", "A.B"])
  func labelsWithDotsAreATypes(type: String) throws {
    #expect(try ActivityRecord(id: id, activityType: type).activityType == type)
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a b", "a/b", "org.exämple", "a\n", "a\u{0}", "a.\u{301}b", "org.example.\u{202E}x",
    "a:b",
    "a*", "\u{FF41}",
  ])
  func otherTextIsNoType(type: String) {
    #expect(throws: Reason.activityTypeInvalid) { try ActivityRecord(id: id, activityType: type) }
  }

  @Test func aTypeMayBeSoLongAndNoLonger() throws {
    let longest = String(repeating: "a", count: Limits.activityTypeLength)
    #expect(throws: Never.self) { try ActivityRecord(id: id, activityType: longest).validated() }
    #expect(throws: Reason.activityTypeInvalid) { try ActivityRecord(id: id, activityType: longest + "a") }
  }

  // MARK: Titles

  @Test func aTitleMayBeSoLongAndNoLonger() throws {
    let longest = String(repeating: "é", count: Limits.titleLength / 2)
    #expect(throws: Never.self) { try record { $0.title = longest }.validated() }
    #expect(throws: Reason.titleTooLong) { try record { $0.title = longest + "a" }.validated() }
  }

  @Test(arguments: [
    "", " ", "Über uns – 日本語 – עברית", "👩🏽‍💻 at work", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "می‌خواهم", "soft\u{AD}hyphen", "e\u{301}", "\u{FFFD}",
  ])
  func whatPeopleWriteIsATitle(title: String) throws {
    #expect(try record { $0.title = title }.validated().title == title)
  }

  @Test(arguments: [
    "\n", "a\tb", "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{9B}", "\u{202A}", "\u{202E}gpj.exe", "\u{2066}a", "\u{2069}",
    "\u{200E}",
    "\u{200F}", "\u{61C}", "\u{2028}", "\u{2029}",
  ])
  func controlAndDirectionCharactersAreNotTaken(title: String) throws {
    #expect(throws: Reason.titleTooLong) { try record { $0.title = title }.validated() }
  }

  // MARK: URLs

  @Test(arguments: ["http://example.org", "https://example.org/a?b#c", "HTTPS://EXAMPLE.ORG", "https://exämple.org/ä"])
  func webPagesAreURLs(url: String) throws {
    #expect(throws: Never.self) { try record { $0.webpageURL = url }.validated() }
    #expect(throws: Never.self) { try record { $0.referrerURL = url }.validated() }
  }

  @Test(arguments: [
    "", "example.org", "//example.org", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
    "ftp://example.org",
    "http:/example.org", "https:example.org", " https://example.org", "https://example.org/a b",
    "https://example.org/\n",
    "https://example.org/\u{202E}", "https://example.org/\u{0}", "httpss://a", "https://", "http://", "https://a/\"",
    "https://a\\b",
    "-https://a",
  ])
  func otherTextIsNoURL(url: String) throws {
    #expect(throws: Reason.urlInvalid) { try record { $0.webpageURL = url }.validated() }
    #expect(throws: Reason.urlInvalid) { try record { $0.referrerURL = url }.validated() }
  }

  @Test func aURLMayBeSoLongAndNoLonger() throws {
    let start = "https://a/"
    let longest = start + String(repeating: "b", count: Limits.urlLength - start.utf8.count)
    #expect(throws: Never.self) { try record { $0.webpageURL = longest }.validated() }
    #expect(throws: Never.self) { try record { $0.targetContentIdentifier = longest }.validated() }
    #expect(throws: Reason.urlInvalid) { try record { $0.webpageURL = longest + "b" }.validated() }
    #expect(throws: Reason.urlInvalid) { try record { $0.referrerURL = longest + "b" }.validated() }
    #expect(throws: Reason.urlInvalid) { try record { $0.targetContentIdentifier = longest + "b" }.validated() }
  }

  @Test func aContentIdentifierHasNoControlCharacters() throws {
    #expect(throws: Never.self) { try record { $0.targetContentIdentifier = "document 7 / page \"2\"" }.validated() }
    #expect(throws: Reason.urlInvalid) { try record { $0.targetContentIdentifier = "a\u{1}" }.validated() }
  }

  // MARK: JSON

  @Test func absentMembersHaveTheirDefaults() throws {
    let record = try record()
    #expect(record.json.text == #"{"activityType":"org.example.reading","id":"\#(id)"}"#)
    #expect(ActivityRecord(json: record.json) == record)
  }

  @Test func aPersistentIdentifierHasALimit() throws {
    let longest = String(repeating: "é", count: Limits.persistentIdentifierLength / 2)
    #expect(throws: Never.self) { try record { $0.persistentIdentifier = longest }.validated() }
    #expect(throws: Reason.persistentIdentifierInvalid) {
      try record { $0.persistentIdentifier = longest + "b" }.validated()
    }
    #expect(throws: Reason.persistentIdentifierInvalid) {
      try record { $0.persistentIdentifier = "a\u{1}" }.validated()
    }
  }

  @Test func everyMemberComesBack() throws {
    let record = try record {
      $0.title = "Notes"
      $0.userInfo = try! UserInfo([.string("page"): .double(7)])
      $0.webpageURL = "https://example.org/"
      $0.referrerURL = "https://example.org/from"
      $0.targetContentIdentifier = "7"
      $0.persistentIdentifier = "note 7"
      $0.expirationDate = 1_800_000_000
      $0.needsSave = true
      $0.supportsContinuationStreams = true
    }
    #expect(
      record.json.text
        == #"{"activityType":"org.example.reading","expirationDate":1800000000.0,"id":"\#(id)","needsSave":true,"#
        + #""persistentIdentifier":"note 7","referrerURL":"https://example.org/from","supportsContinuationStreams":true,"targetContentIdentifier":"7","#
        + #""title":"Notes","userInfo":{"page":{"$double":"7.0"}},"webpageURL":"https://example.org/"}"#
    )
    #expect(ActivityRecord(json: try JSON(parsing: record.json.bytes, depth: 4)) == record)
  }

  @Test(
    arguments: [
      ("id", nil), ("id", "x"), ("id", 1), ("activityType", nil), ("activityType", 1), ("activityType", "a b"),
      ("title", 1),
      ("title", "\n"), ("userInfo", 1), ("userInfo", ["$x": 1]), ("userInfo", ["a": [[[[[[[[1]]]]]]]]]),
      ("webpageURL", 1),
      ("webpageURL", "file:///"), ("referrerURL", "x"), ("targetContentIdentifier", false), ("persistentIdentifier", 7),
      ("persistentIdentifier", "\n"),
      ("expirationDate", "2026"),
      ("needsSave", 1), ("supportsContinuationStreams", "true"),
    ] as [(String, JSON?)]
  )
  func whatIsNotAllowedIsNoRecord(name: String, value: JSON?) throws {
    var members = try #require(try record().json.object)
    members[name] = value
    #expect(ActivityRecord(json: .object(members)) == nil)
  }

  @Test func unknownMembersAndNullAreIgnored() throws {
    var members = try #require(try record().json.object)
    members["somethingNew"] = [1]
    members["title"] = .null
    #expect(ActivityRecord(json: .object(members)) == (try record()))
    #expect(ActivityRecord(json: "text") == nil)
  }
}
