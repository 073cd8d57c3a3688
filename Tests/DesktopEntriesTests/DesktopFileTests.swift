// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct DesktopFileTests {
  private func file(_ text: String) throws -> DesktopFile { try DesktopFile(Array(text.utf8)) }

  @Test func valuesAreReadAsTheSpecificationSays() throws {
    let file = try file(
      """
      # A comment

      [Desktop Entry]
      Name = Spaces around the sign go\u{20}
      Name[de]=Übersetzt
      Comment=\\sone\\ntwo\\tthree\\rfour\\\\five
      Categories=A;B\\;C;\\s;
      Keywords=X;Y
      Hidden=true
      Equals=a=b
      Empty=
      [Desktop Action new]
      Name=Another
      """
    )
    #expect(try file.string("Name") == "Spaces around the sign go ")
    #expect(try file.string("Comment") == " one\ntwo\tthree\rfour\\five")
    #expect(try file.list("Categories") == ["A", "B;C", " "])
    #expect(try file.list("Keywords") == ["X", "Y"])
    #expect(try file.boolean("Hidden"))
    #expect(try !file.boolean("NoDisplay"))
    #expect(try file.string("Equals") == "a=b")
    #expect(try file.string("Empty") == "")
    #expect(try file.string("Missing") == nil)
    #expect(try file.list("Missing") == [])
    #expect(try self.file("[Desktop Entry]\r\nName=A\r\n").string("Name") == "A")
  }

  @Test(arguments: [
    ("", "The group [Desktop Entry] is missing"),
    ("Name=A\n[Desktop Entry]", "Line 1: a key comes before the first group"),
    ("[Other]\nName=A", "Line 1: the first group isn't [Desktop Entry]"),
    ("[Desktop Entry]\nName=A\nName=B", "Line 3: Name occurs twice"),
    ("[Desktop Entry]\n[Desktop Entry]", "Line 2: the group [Desktop Entry] occurs twice"),
    ("[Desktop Entry", "Line 1: this isn't a group"),
    ("[Desktop Entry]x", "Line 1: this isn't a group"),
    ("[Desktop Entry]\nName", "Line 2: this is neither a group nor a key with a value"),
    ("[Desktop Entry]\n=A", "Line 2: this isn't a key"),
    ("[Desktop Entry]\nNa_me=A", "Line 2: this isn't a key"),
    ("[Desktop Entry]\nName[de=A", "Line 2: this isn't a key"),
    ("[Desktop Entry]\nName[]=A", "Line 2: this isn't a key"),
    // Found by fuzzing: it would have ended an argument of the program.
    ("[Desktop Entry]\nName=A\0B", "It contains a zero byte"),
  ])
  func malformedFilesAreNamedWithTheirLine(text: String, trouble: String) {
    #expect(throws: MalformedEntry(trouble)) { try file(text) }
  }

  @Test func malformedValuesAreNamedWithTheirKey() throws {
    let file = try file("[Desktop Entry]\nA=\\x\nB=\\;\nC=yes\nD=end\\")
    #expect(throws: MalformedEntry("A has an unknown escape sequence")) { try file.string("A") }
    #expect(throws: MalformedEntry("B has an unknown escape sequence")) { try file.string("B") }
    #expect(try file.list("B") == [";"])
    #expect(throws: MalformedEntry("C is neither true nor false")) { try file.boolean("C") }
    #expect(throws: MalformedEntry("D has an unknown escape sequence")) { try file.string("D") }
  }

  @Test(arguments: [
    ("de_AT.UTF-8@euro", ["de_AT@euro", "de_AT", "de@euro", "de"]), ("de_AT.UTF-8", ["de_AT", "de"]), ("de", ["de"]),
    ("sr_RS@latin", ["sr_RS@latin", "sr_RS", "sr@latin", "sr"]), ("C.UTF-8", []), ("POSIX", []), ("", []), ("@x", []),
  ])
  func localesAreNamedFromTheWholeToTheLanguage(locale: String, names: [String]) {
    #expect(MessageLocale.names(locale) == names)
  }

  @Test func theTranslationThatFitsBestCounts() throws {
    let text = """
      [Desktop Entry]
      Name[de]=deutsch
      Name=any
      Name[de_AT]=österreichisch
      Name[sr]=српски
      Name[sr@latin]=srpski
      Icon=any
      [Desktop Action new]
      Name[de_AT]=new
      """
    func names(_ locale: String) throws -> [String?] {
      let file = try DesktopFile(Array(text.utf8), locales: MessageLocale.names(locale))
      return [try file.translated("Name"), try file.translated("Icon"), try file.string("Name")]
    }
    #expect(try names("de_DE.UTF-8") == ["deutsch", "any", "any"])
    #expect(try names("de_AT.UTF-8@euro") == ["österreichisch", "any", "any"])
    #expect(try names("sr_YU@latin") == ["srpski", "any", "any"])
    #expect(try names("sr_YU@Latn") == ["српски", "any", "any"])
    #expect(try names("en_US.UTF-8") == ["any", "any", "any"])
    #expect(try names("C") == ["any", "any", "any"])
  }

  @Test func translationsMayBeginWithWhatJoinsTheSignBeforeThem() throws {
    let file = try file(
      "[Desktop Entry]\nName[fa]=\u{200C}\u{645}\nName=\u{338}A\nKeywords=a;\u{301}b;\\\u{301}\n#\u{301}comment\nHidden=true"
    )
    #expect(try file.string("Name").map { Array($0.unicodeScalars) } == ["\u{338}", "A"])
    #expect(try file.boolean("Hidden"))
    #expect(throws: MalformedEntry("Keywords has an unknown escape sequence")) { try file.list("Keywords") }
  }

  @Test func filesAreUTF8AndNotTooLong() throws {
    #expect(throws: MalformedEntry("It isn't UTF-8")) { try DesktopFile(Array("[Desktop Entry]\nA=".utf8) + [0xFF]) }
    let head = "[Desktop Entry]\nA="
    let value = String(repeating: "x", count: Limits.desktopEntryLength - head.utf8.count)
    #expect(try file(head + value).string("A") == value)
    #expect(throws: MalformedEntry.self) { try file(head + value + "x") }
  }
}
