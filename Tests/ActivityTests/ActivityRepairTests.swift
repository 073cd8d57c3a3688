// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

/// Titles and addresses as programs find them.
struct ActivityRepairTests {
  private func record(_ change: (inout ActivityRecord) -> Void) throws -> ActivityRecord {
    var record = try ActivityRecord(id: .random(), activityType: "org.example.notes")
    change(&record)
    return try record.repaired().validated()
  }

  @Test(arguments: [
    ("Whales", "Whales"), ("", ""),
    ("\u{200F}\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200E} (1)", "\u{5E9}\u{5DC}\u{5D5}\u{5DD} (1)"),
    ("First line\nsecond\r\n third", "First line second third"), ("a\u{2028}b\tc\u{0}d", "a b c d"),
    ("\u{202E}gpj.exe", "gpj.exe"), ("e\u{301}\u{1F468}\u{200D}\u{1F469}", "e\u{301}\u{1F468}\u{200D}\u{1F469}"),
  ])
  func aTitleIsOneLineWithoutDirectionMarks(title: String, repaired: String) throws {
    let found = try record { $0.title = title }.title
    #expect(found.map { Array($0.utf8) } == Array(repaired.utf8))
  }

  @Test(arguments: ["a", "\u{E9}", "e\u{301}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F466}", "\u{200F}\u{5E9}", "\n"])
  func aTitleThatIsTooLongIsCutBetweenCharacters(unit: String) throws {
    for count in [100, 511, 512, 513, 3000] {
      let title = String(repeating: unit, count: count)
      let found = try #require(try record { $0.title = title }.title)
      #expect(found.utf8.count <= Limits.titleLength)
      if title.utf8.count <= Limits.titleLength, unit != "\n", !unit.unicodeScalars.contains("\u{200F}") {
        #expect(found == title)
      } else if found.unicodeScalars.last == "\u{2026}", unit.count == 1, !unit.unicodeScalars.contains("\u{200F}") {
        #expect(found.dropLast().allSatisfy { String($0) == unit })
        #expect(found.utf8.count + unit.utf8.count > Limits.titleLength)
      }
    }
  }

  @Test func oneCharacterThatIsTooLongIsNoTrap() throws {
    let title = "a" + String(repeating: "\u{301}", count: 2000)
    #expect(try record { $0.title = title }.title == "\u{2026}")
  }

  @Test(arguments: [
    (#"https://example.org/?q=a\b"#, "https://example.org/?q=a%5Cb"),
    ("https://example.org/a b", "https://example.org/a%20b"),
    ("https://example.org#\"\u{200B}\u{1}", "https://example.org#%22%E2%80%8B%01"),
    ("https://example.org/ä?%5C", "https://example.org/ä?%5C"),
  ])
  func anAddressIsPercentEncoded(url: String, repaired: String) throws {
    #expect(try record { $0.webpageURL = url }.webpageURL == repaired)
    #expect(try record { $0.referrerURL = url }.referrerURL == repaired)
  }

  @Test(arguments: [
    "https://example.org/?" + String(repeating: "x", count: 2048),
    // It becomes too long when it is repaired.
    "https://example.org/?" + String(repeating: #"\"#, count: 1000),
  ])
  func anAddressThatIsTooLongTakesNothingElseWithIt(url: String) throws {
    var record = try ActivityRecord(id: .random(), activityType: "org.example.notes")
    record.title = "Notes"
    record.webpageURL = url
    record.referrerURL = url
    record.targetContentIdentifier = String(repeating: "x", count: 3000)
    let repaired = try record.repaired().validated()
    #expect(repaired.webpageURL == nil && repaired.referrerURL == nil && repaired.title == "Notes")
    #expect(record.members(missingIn: repaired) == ["webpageURL", "referrerURL", "targetContentIdentifier"])
    record.webpageURL = "https://example.org/"
    let kept = try record.repaired().validated()
    #expect(kept.webpageURL == "https://example.org/")
    #expect(record.members(missingIn: kept) == ["referrerURL", "targetContentIdentifier"])
  }

  @Test func aPageWithoutItsAddressIsNothing() throws {
    var page = try ActivityRecord(id: .random(), activityType: ActivityRecord.webPageType)
    page.webpageURL = "https://example.org/?" + String(repeating: "x", count: 2048)
    #expect(throws: Reason.urlInvalid) { try page.repaired().validated() }
  }

  @Test(arguments: [
    #"https://a\b"#, #"https://good.example\@evil.example/"#, "https://a b/", "https://\u{202E}a/", "https:// /",
    "ftp://a/ b",
    "javascript:alert(1)//\\", "https:/\\a",
  ])
  func whatCouldMeanAnotherHostIsNotRepaired(url: String) {
    #expect(throws: Reason.urlInvalid) { try record { $0.webpageURL = url } }
  }
}
