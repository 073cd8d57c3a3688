// SPDX-License-Identifier: Apache-2.0

import Search
import Testing

@testable import BatonCommand

@Suite struct ResultTextTests {
  private func title(_ title: String, _ matches: [Int], isColoured: Bool = true) -> String {
    var result = ControlResult(id: "1", kind: .entry, title: title, relevance: 1)
    result.titleMatches = matches
    let line = ResultText.table([result], isColoured: isColoured, now: 0).split(separator: "\n").last ?? ""
    return String(line.dropFirst("1   ".count))
  }

  @Test func whatWasFoundIsStrongInColour() {
    #expect(title("The Whale", [4, 5]) == "The \u{1B}[1mWhale\u{1B}[0m")
    #expect(title("a b c", [0, 1, 4, 1]) == "\u{1B}[1ma\u{1B}[0m b \u{1B}[1mc\u{1B}[0m")
    // Offsets are bytes.
    #expect(title("Ärger über", [7, 5]) == "Ärger \u{1B}[1müber\u{1B}[0m")
    #expect(title("The Whale", []) == "The Whale")
    #expect(title("The Whale", [4, 5], isColoured: false) == "The Whale")
  }

  /// The index may be any program of the user's.
  @Test(arguments: [
    [0], [0, 100], [-1, 2], [0, -1], [9, 1], [10, 0], [.max, 1], [1, .max], [.max, .max], [.min, .min],
  ])
  func wrongPlacesShowTheTitleAsItIs(matches: [Int]) {
    #expect(title("The Whale", matches) == "The Whale")
  }

  @Test func placesThatOverlapEndTheEmphasis() {
    #expect(title("abc", [1, 1, 0, 1]) == "a\u{1B}[1mb\u{1B}[0mc")
    #expect(title("abc", [3, 0]) == "abc")
    // In the middle of a character.
    #expect(title("é", [1, 1]).contains("\u{FFFD}"))
  }

  @Test func aTitleCannotColourATerminal() {
    let shown = title("a\u{1B}[31mb\u{9B}0m", [2, 3])
    #expect(shown == "a\\u{1b}\u{1B}[1m[31\u{1B}[0mmb\\u{9b}0m")
  }

  @Test func columnsFitWhateverIsStrong() {
    var long = ControlResult(id: "1", kind: .entry, title: "a long title", relevance: 1)
    long.application = "org.example.a"
    var strong = ControlResult(id: "2", kind: .entry, title: "m\u{301}atch", relevance: 1)
    strong.titleMatches = [0, 7]
    strong.application = "org.example.b"
    #expect(
      ResultText.table([long, strong], isColoured: true, now: 0) == """
        ID  TITLE         WHERE
        1   a long title  org.example.a
        2   \u{1B}[1mm\u{301}atch\u{1B}[0m         org.example.b
        """
    )
  }

  @Test func anEntryIsShownWithItsNumber() {
    let result = ControlResult(id: "k7q2m9xw.1204", kind: .entry, title: "T", relevance: 1)
    #expect(ResultText.table([result], isColoured: false, now: 0) == "ID    TITLE\n1204  T")
  }

  @Test func itSaysWhereAndWhen() {
    func row(_ change: (inout ControlResult) -> Void, kind: ControlResult.Kind = .entry) -> String {
      var result = ControlResult(id: "0123456789", kind: kind, title: "T", relevance: 1)
      change(&result)
      return ResultText.table([result], isColoured: false, now: 1000).split(separator: "\n").last.map(String.init) ?? ""
    }
    #expect(row { _ in } == "0123456789  T")
    #expect(row { $0.activityType = "a.b" } == "0123456789  T      a.b")
    #expect(row { ($0.application, $0.activityType) = ("org.example.A", "a.b") } == "0123456789  T      org.example.A")
    #expect(
      row { ($0.application, $0.applicationName) = ("org.example.A", "An\u{7}") } == "0123456789  T      An\\u{7}"
    )
    #expect(row { ($0.applicationName, $0.device) = ("A", "nas") } == "0123456789  T      A on nas")
    #expect(row { $0.lastUsed = 940 } == "0123456789  T      1 minute ago")
    #expect(row({ $0.lastUsed = 940 }, kind: .offer) == "01234567  T      offered now")
  }
}
