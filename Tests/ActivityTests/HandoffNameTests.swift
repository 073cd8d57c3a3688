// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct HandoffNameTests {
  @Test(arguments: [
    ("notes.txt", "notes.txt", "notes-2.txt"), ("/home/ada/to do.txt", "to do.txt", "to do-2.txt"),
    ("archive.tar.gz", "archive.tar.gz", "archive-2.tar.gz"), ("Makefile", "_Makefile", "_Makefile-2"),
    (".bashrc", "bashrc", "bashrc-2"), ("...", "Document", "Document-2"), ("", "Document", "Document-2"),
    ("/", "Document", "Document-2"), ("..", "Document", "Document-2"), ("-rf", "rf", "rf-2"),
    ("a\nb\u{1B}[2J.txt", "a b\u{FFFD}[2J.txt", "a b\u{FFFD}[2J-2.txt"), (".txt", "txt", "txt-2"),
    ("gpj\u{202E}.exe", "gpj.exe", "gpj-2.exe"),
    (
      "a.this is no suffix at all", "a.this is no suffix at all",
      "a.this is no suffix at all-2"
    ), (". .x", "x", "x-2"), ("a\0b", "ab", "ab-2"), ("a/\u{301}b", "\u{301}b", "\u{301}b-2"),
    ("Report 1.10", "Report 1.10", "Report 1.10-2"), ("J. Smith", "J. Smith", "J. Smith-2"), ("ls.1", "ls.1", "ls-2.1"),
    ("ö.md", "ö.md", "ö-2.md"), ("HEAD", "_HEAD", "_HEAD-2"), ("x/.git~", "git", "git-2"),
    ("x.tar\u{D4E}.gz", "x.tar\u{D4E}.gz", "x.tar\u{D4E}-2.gz"),
    ("x\u{D4E}.tar.gz", "x\u{D4E}.tar.gz", "x\u{D4E}-2.tar.gz"),
    ("x.\u{301}y", "x.\u{301}y", "x-2.\u{301}y"), (".\u{301}profile", "\u{301}profile", "\u{301}profile-2"),
    ("-\u{200D}x", "\u{200D}x", "\u{200D}x-2"), ("a\u{D4E}\0b", "a\u{D4E}b", "a\u{D4E}b-2"),
  ])
  func namesAreMadeHarmless(_ name: String, _ first: String, _ second: String) {
    #expect(HandoffName(name).text(1).utf8.elementsEqual(first.utf8))
    #expect(HandoffName(name).text(2).utf8.elementsEqual(second.utf8))
  }

  @Test(arguments: ["|", "~", ".tf", ".csproj"])
  func whatIsCutOffMakesNothingThatIsObeyed(_ end: String) {
    for length in 100...150 {
      let start = String(repeating: "a", count: length - end.utf8.count)
      let name = HandoffName(start + end + String(repeating: "z", count: 80)).text(1)
      #expect(!name.utf8.elementsEqual((start + end).utf8))
    }
  }

  /// To `String`, the last letter and its marks are one character.
  @Test(arguments: ["html.py", "Makefile", "HEAD"])
  func whatIsLeftOfALongNameIsNotObeyed(_ start: String) {
    for count in 0...200 {
      let name = HandoffName(start + "z" + String(repeating: "\u{301}", count: count)).text(1)
      #expect(!name.utf8.elementsEqual(start.utf8))
    }
  }

  @Test func aLongNameKeepsItsSuffix() {
    let name = HandoffName(String(repeating: "ä", count: 2000) + ".txt").text(1000)
    #expect(name.utf8.count <= 143 && name.hasSuffix("ä-1000.txt"))
  }
}
