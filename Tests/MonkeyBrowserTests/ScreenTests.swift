// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MonkeyBrowser

@Suite struct ScreenTests {
  private func texts(_ browser: Browser, status: String = "", _ rows: Int, _ columns: Int) -> [String] {
    Screen(browser, status: status, size: .init(rows: rows, columns: columns)).rows.map { $0.map(\.text).joined() }
  }

  @Test func tabsAreAboveAndTheStatusIsBelow() throws {
    var browser = Browser(visits: 2)
    try browser.perform(.select(.wiki))
    let screen = Screen(browser, status: "Hello", size: .init(rows: 24, columns: 80))
    #expect(screen.rows.count == 24)
    #expect(screen.rows[0].map(\.style) == [.bar, .chosen, .bar, .bar])
    let texts = screen.rows.map { $0.map(\.text).joined() }
    #expect(texts[0] == " 1 News  2 Wiki  3 Video  4 Notes ")
    #expect(texts[1].contains("https://wiki.example.org/Home"))
    #expect(texts[2] == "  Home")
    #expect(texts[22].hasPrefix(" Hello "))
    #expect(texts[23].contains("q quit"))
  }

  @Test func thePageBeginsAtThePlace() throws {
    var browser = Browser(visits: 0)
    try browser.perform(.scrollTo(5))
    #expect(texts(browser, 24, 80)[2] == "  " + browser.tab.page.lines[5].text)
    try browser.perform(.scrollTo(.max))
    #expect(texts(browser, 24, 80).count == 24)
  }

  @Test func nothingIsLargerThanTheTerminal() {
    for rows in 0...8 {
      for columns in [0, 1, 7, 40] {
        let texts = texts(Browser(visits: 0), status: "A long message that does not fit", rows, columns)
        #expect(texts.count <= rows)
        #expect(texts.allSatisfy { $0.count <= columns })
      }
    }
  }

  @Test func otherMachinesCannotCommandTheTerminal() {
    let status = "Continue 'A\u{1b}[2J\u{9b}1m\n\u{202e}B' from x"
    let text = texts(Browser(visits: 0), status: status, 24, 80)[22]
    #expect(text.hasPrefix(" Continue 'A[2J1mB' from x "))
  }
}

@Suite struct KeyDecoderTests {
  @Test func keysComeWholeOrInParts() {
    let bytes = Array("j\u{1b}[A\u{1b}OB\u{1b}[5~\u{1b}[99z\r\t\u{3}\u{1b}q".utf8)
    let keys: [Key] = [.character("j"), .up, .down, .pageUp, .enter, .tab, .interrupt, .character("q")]
    var whole = KeyDecoder()
    #expect(whole.receive(bytes) == keys)
    var parts = KeyDecoder()
    #expect(bytes.flatMap { parts.receive([$0]) } == keys)
  }
}

@Suite struct LineCommandTests {
  @Test(
    arguments: [
      ("tab 2", .browse(.select(.wiki))), ("tab notes", .browse(.select(.notes))),
      ("  scroll   -4 ", .browse(.scrollTo(-4))),
      ("follow", .browse(.followLink)), ("state", .state), ("quit", .quit),
      ("tab 5", nil), ("tab 0", nil), ("tab", nil), ("open file:///a", nil), ("scroll x", nil), ("state 1", nil),
      ("", nil),
      ("tab -9223372036854775808", nil),
    ] as [(String, LineCommand?)]
  )
  func lines(line: String, command: LineCommand?) {
    #expect((try? LineCommand(line)) == command)
  }
}
