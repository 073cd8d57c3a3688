// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

/// Texts whose characters hide their bytes.
struct StringBytesTests {
  /// Each forms one `Character` with the sign after it.
  static let prepended = ["\u{D4E}", "\u{600}"]
  /// Each forms one `Character` with the sign before it.
  static let appended = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"]

  @Test(arguments: appended)
  func whatFollowsASignDoesNotHideIt(mark: String) {
    #expect("-\(mark)x".starts(withBytesOf: "-"))
    #expect("a/\(mark)x".rest(afterBytesOf: "a/").map { $0.hasBytes(of: "\(mark)x") } == true)
    #expect("a#\(mark)".containsBytes(of: "#") && "a::\(mark)".containsBytes(of: "::"))
    #expect(
      "a:\(mark)b:c".split(atScalar: ":").map { Array($0.utf8) } == ["a", "\(mark)b", "c"].map { Array($0.utf8) }
    )
    #expect("a:\(mark)b".scalarPrefix(while: { $0 != ":" }).hasBytes(of: "a"))
    #expect("  \(mark)b".dropScalars(while: { $0 == " " }).hasBytes(of: "\(mark)b"))
    let text = "a=\(mark)b"
    let rest = text.unicodeScalars.firstIndex(of: "=").map { text.rest(after: $0) }
    #expect(rest.map { $0.hasBytes(of: "\(mark)b") } == true)
  }

  @Test(arguments: prepended)
  func whatPrecedesASignDoesNotHideIt(sign: String) {
    #expect("x\(sign)#(y)".containsBytes(of: "#("))
    #expect("x\(sign)~".start(beforeBytesOf: "~").map { $0.hasBytes(of: "x\(sign)") } == true)
    #expect("x\(sign).git".ends(withBytesOf: ".git"))
    #expect("x\(sign) y".splitScalars(where: \.properties.isWhitespace).count == 2)
  }

  @Test func nothingElseIsFound() {
    #expect(!"ab".starts(withBytesOf: "abc") && !"ab".ends(withBytesOf: "cab") && !"ab".containsBytes(of: "ba"))
    #expect("ab".rest(afterBytesOf: "b") == nil && "ab".start(beforeBytesOf: "a") == nil)
    #expect("ab".containsBytes(of: "") && "aab".containsBytes(of: "ab") && "".split(atScalar: ",").isEmpty)
    #expect("a,,b".split(atScalar: ",", maxSplits: 1, omittingEmptySubsequences: false) == ["a", ",b"])
    #expect(!"é".hasBytes(of: "e\u{301}") && !"K".hasBytes(of: "\u{212A}") && "".hasBytes(of: ""))
  }

  @Test func theFirstPlaceOfBytesIsFound() {
    let text = "aab\u{301}aab"
    let place = text.utf8.firstRange(ofBytes: "ab".utf8)
    #expect(place.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } == 1)
    #expect(place.map { text[$0.upperBound...].utf8.elementsEqual("\u{301}aab".utf8) } == true)
    #expect([1, 2, 1, 2, 3].firstRange(ofBytes: [1, 2, 3]) == 2..<5)
    #expect([1, 2][1...].firstRange(ofBytes: [2]) == 1..<2)
    #expect([UInt8]().firstRange(ofBytes: []) == 0..<0 && [1].firstRange(ofBytes: [1, 2]) == nil)
    #expect([UInt8]().firstRange(ofBytes: [1]) == nil)
  }

  /// A carriage return and a newline are one `Character`.
  @Test func linesEndAtEitherSign() {
    #expect("a\r\nb\rc\nd\0e\n".configurationLines == ["a", "b", "c", "d", "e", ""])
    #expect("\u{FEFF}a\n\r\n\n".configurationLines == ["a", "", "", ""])
    #expect("\u{A0}\r\n a b\u{301}\t".trimmed.hasBytes(of: "a b\u{301}"))
    #expect(" \n".trimmed.isEmpty)
    #expect(Printable.lines("a\r\nb\n") == "a\\u{d}\nb")
    #expect("a\r\nb\u{2028}c".splitScalars(where: VisibleText.endsLine) == ["a", "b", "c"])
  }

  @Test func aHostIsOnlyItsOwnBytes() {
    #expect(WebPage.isHostName("\u{E9}.org"))
    #expect(!WebPage.isHostName("\u{212B}.org"))
  }

  @Test(arguments: appended)
  func aURLIsReadByBytes(mark: String) throws {
    var folders = SharedFolders()
    try folders.add("Notes", at: "/srv/notes")
    for url in ["baton-folder:\(mark)/Notes/a", "baton-folder:/\(mark)Notes/a", "file:/\(mark)/srv/notes/a"] {
      #expect(folders.inward(url).hasBytes(of: url) && folders.outward(url).hasBytes(of: url))
    }
  }
}
