// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import ActivityTypes

struct TerminalTextTests {
  @Test(arguments: [
    ("work", "work"), ("a:b.c", "abc"), ("#(touch x)", "(touch x)"), ("-d", "d"), ("=x", "x"), ("", nil), ("#:.", nil),
    ("\u{1B}[2Jx", "[2Jx"), ("Übung 1", "Übung 1"), ("\u{202E}x", "x"), (nil, nil),
  ])
  func names(text: String?, name: String?) { #expect(TerminalText.name(text) == name) }

  /// To `String`, each of these signs is one character with what is before or after it. tmux reads bytes.
  @Test(arguments: [
    ("\u{D4E}#(touch /tmp/pwned)", "\u{D4E}(touch /tmp/pwned)"), ("\u{600}#{x}", "x}"), ("#\u{301}(x)", "(x)"),
    ("a\u{D4E}:\u{D4E}.b", "a\u{D4E}\u{D4E}b"), ("-\u{301}d", "d"), ("=\u{200D}x", "x"), ("$\u{FE0F}1", "1"),
    ("@\u{20E3}1", "1"), ("\u{301}-x", "x"), ("a\r\nb", "ab"), ("\u{1F1E9}#\u{1F1EA}", "\u{1F1E9}\u{1F1EA}"),
    ("\u{200D}", nil), ("%\u{301}", nil),
    ("\u{D4E}'\u{D4E}\"\u{D4E}`\u{D4E};\u{D4E}\\\u{D4E}%", String(repeating: "\u{D4E}", count: 6)),
  ])
  func noCharacterHidesASign(text: String, name: String?) {
    #expect(TerminalText.name(text).map { Array($0.utf8) } == name.map { Array($0.utf8) })
  }

  @Test func namesAreShort() {
    #expect(TerminalText.name(String(repeating: "x", count: 1000))?.count == 64)
    #expect(TerminalText.name("x" + String(repeating: "\u{301}", count: 1000))?.utf8.count == 127)
  }

  @Test(arguments: [
    "b25d,80x24,0,0,0", "2c1a,158x38,0,0{79x38,0,0,1,78x38,80,0[78x19,80,0,2,78x18,80,20,3]}",
    "c1f4,1000x1000,0,0,999999", "bd5e,80x24,0,0{40x24,0,0,1234,39x24,41,0,1235}",
  ])
  func layouts(text: String) { #expect(TerminalText.layout(text) == text) }

  @Test(arguments: [
    "", "80x24,0,0,0", "b25d", "b25d,", "b25d,80x24;kill-server", "b25d,#(id)", "B25D,80x24,0,0,0",
    "b25d,9999999x1,0,0,0", "b25d,1001x24,0,0,0", "b25d,80x999999,0,0,0", "b25d,80x24,1001,0,0", "b25d,80x24,0,1001,0",
    "b25d,80x24,0,0{80x12,0,0,1,80x5000,0,13,2}", "b25d,0x24,0,0,0", "b25d,80x24,0,0,0,0", "b25d,80x24,0,0,1234567",
    "b25d,80x24", "b25d,80,24,0,0",
    "tiled", "b25d," + String(repeating: "1,", count: 2000),
  ])
  func whatIsNoLayout(text: String) { #expect(TerminalText.layout(text) == nil) }

  @Test(arguments: [
    ("xterm-256color", true), ("", false), ("../x", false), (".x", false), ("a/b", false), ("x\0", false),
    ("tmux", true),
  ])
  func types(text: String, isOne: Bool) { #expect(TerminalText.isTerminalType(text) == isOne) }

  @Test(arguments: [("work", "work"), ("0", "tmux 0"), ("12", "tmux 12"), ("0a", "0a"), ("٣", "٣")])
  func aSessionThatNobodyHasNamedIsCalledTmux(session: String, title: String) {
    let info = TerminalInfo(host: nil, user: nil, session: session, windows: [], resumeTime: nil)
    #expect(info.title == title)
  }

  @Test func aDescriptionHasAsManyWindowsAsFit() {
    let pane = TerminalInfo.Pane(
      document: DocumentReference(path: "/home/ada/a/long/path"),
      command: "vim",
      isActive: true
    )
    let window = TerminalInfo.Window(name: "w", layout: "b25d,80x24,0,0,0", isActive: false, panes: [pane])
    let info = TerminalInfo(
      host: "laptop",
      user: "ada",
      session: "work",
      windows: Array(repeating: window, count: 100),
      resumeTime: 60
    )
    let fitting = info.fitting(3000)
    #expect(fitting.json.bytes.count <= 3000)
    #expect(fitting.windows.count > 5)
    #expect(fitting.windows.count + (fitting.omittedWindows ?? 0) == 100)
    #expect(TerminalInfo(json: fitting.json) == fitting)
  }

  @Test func aDocumentThatCannotBeUsedIsLeftOut() {
    let json: JSON = [
      "session": "work", "windows": [["panes": [["document": ["path": "relative"], "command": "vim"]]]],
    ]
    let info = TerminalInfo(json: json)
    #expect(info?.windows.first?.panes.first?.command == "vim")
    #expect(info?.windows.first?.panes.first?.document == nil)
  }
}
