// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

@testable import BatonCommand

@Suite struct OutputTests {
  @Test(
    arguments: [
      ("plain é 文 👩‍💻", "plain é 文 👩‍💻"), ("\u{1B}[2J", #"\u{1b}[2J"#), ("a\rb\nc\td", #"a\u{d}b\u{a}c\u{9}d"#),
      ("\u{202E}evil", #"\u{202e}evil"#), ("\u{2066}x\u{200B}", #"\u{2066}x\u{200b}"#), ("\u{9B}1m", #"\u{9b}1m"#),
      ("\u{7F}\u{2028}", #"\u{7f}\u{2028}"#),
    ]
  )
  func terminalsDoNotObeyText(text: String, shown: String) {
    #expect(Printable.text(text) == shown)
  }

  @Test func jsonKeepsItsValue() throws {
    let value: JSON = ["title": "\u{1B}\u{202E}\u{9B}é\u{E0001}👩‍💻"]
    let text = Printable.json(value)
    #expect(text == #"{"title":"\u001b\u202e\u009bé\udb40\udc01👩‍💻"}"#)
    #expect(try JSON(parsing: text.utf8, depth: 2) == value)
  }

  @Test func columnsAreAsWideAsTheirWidestCell() {
    #expect(
      Table.text([["1", "文文", "", "a"], ["22", "long", "", ""]], head: ["ID", "NAME", "X", "LAST"])
        == "ID  NAME  LAST\n1   文文  a\n22  long"
    )
  }

  @Test func emphasisTakesNoColumns() {
    #expect(Table.width(of: Output.strong("Moby")) == 4)
    #expect(Table.width(of: "文\(Output.strong("文"))m\(Output.strong("m"))") == 6)
    // The text combines with the sequence's last letter.
    #expect(Table.width(of: Output.strong("\u{301}Moby") + "-Dick") == 9)
    #expect(Table.text([[Output.strong("a"), "b"], ["aa", "b"]]) == "\(Output.strong("a"))   b\naa  b")
  }

  @Test func labelsHaveTheWidthOfTheWidest() {
    let rows = [("Size:", "7"), ("文文文:", nil), ("", "8")]
    #expect(Table.lines(rows.map { (label: $0, text: $1) }) == "Size:   7\n        8")
    #expect(Table.padded([1: "offered", 2: "ended"]) == [1: "offered", 2: "ended  "])
    #expect(Table.padded([1: "angeboten", 2: "beendet", 3: "終了"]) == [1: "angeboten", 2: "beendet  ", 3: "終了     "])
    #expect(Table.padded([1: "u\u{308}ber", 2: "ü"]) == [1: "u\u{308}ber", 2: "ü   "])
  }

  @Test(
    arguments: [
      (900, "in 15 minutes"), (60, "in 1 minute"), (59.4, "in 59 seconds"), (-3600, "1 hour ago"), (0.2, "now"),
      (3 * 86400, "in 3 days"), (10 * 365 * 86400, "in 10 years"), (.infinity, "now"),
    ] as [(Double, String)]
  )
  func timesAreRelative(seconds: Double, text: String) {
    #expect(Times.relative(1000 + seconds, to: 1000) == text)
  }

  @Test func momentsOfOtherDaysHaveTheirDate() {
    let noon = 1_700_000_000.0
    #expect(Times.moment(noon, at: noon + 1) == Times.clock(noon))
    let moment = Times.moment(noon, at: noon + 40 * 86400)
    #expect(moment == "2023-11-14 \(Times.clock(noon))" || moment == "2023-11-15 \(Times.clock(noon))")
  }
}
