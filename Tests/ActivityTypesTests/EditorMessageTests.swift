// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

struct EditorMessageTests {
  private func message(_ text: String) -> EditorMessage? { EditorMessage(line: Array(text.utf8)) }

  @Test func messagesAreRead() {
    var position = EditorPosition(path: "/a", line: 3, column: 2, isModified: true)
    position.view = ["org.vim.view": [:]]
    let text = #"{"type":"current","path":"/a","line":3,"column":2,"isModified":true,"view":{"org.vim.view":{}}}"#
    #expect(message(text) == .current(position))
    #expect(message(#"{"type":"resign"}"#) == .resign)
    #expect(message(#"{"type":"list","request":"1"}"#) == .list(request: "1"))
    #expect(message(#"{"type":"saved","request":"1","file":"/f"}"#) == .saved(request: "1", file: "/f"))
    #expect(message(#"{"type":"saved","request":"1"}"#) == .saved(request: "1", file: nil))
    #expect(message(#"{"type":"chosen","request":"1","path":"/f"}"#) == .chosen(request: "1", path: "/f"))
  }

  @Test(arguments: [
    "", "x", "[]", #"{"type":"list"}"#, #"{"type":"new"}"#, #"{"type":"current","line":"x"}"#,
    #"{"type":"continue","request":"1"}"#, #"{"type":"continue","request":"1","id":"x"}"#, #"{"type":1}"#,
    #"{"type":"current","view":[[[[[[[[[]]]]]]]]]}"#,
  ])
  func otherLinesAreNoMessages(_ text: String) {
    #expect(message(text) == nil)
  }

  @Test func onlyWhatOthersSeeIsTold() {
    let old = EditorPosition(path: "/a", line: 1)
    #expect(old.change(from: nil, isHeld: false) == .current)
    #expect(EditorPosition(path: "/a", line: 2).change(from: old, isHeld: true) == .none)
    #expect(EditorPosition(path: "/a", line: 2).change(from: old, isHeld: false) == .current)
    #expect(EditorPosition(path: "/b", line: 1).change(from: old, isHeld: true) == .changed)
    #expect(EditorPosition(path: "/a", isModified: true).change(from: old, isHeld: true) == .changed)
    // The two ways to write `é` name two files.
    let accent = EditorPosition(path: "/\u{E9}")
    #expect(EditorPosition(path: "/e\u{301}").change(from: accent, isHeld: true) == .changed)
    #expect(EditorPosition(path: nil).change(from: old, isHeld: true) == .withdrawn)
    #expect(EditorPosition(path: "relative").change(from: nil, isHeld: false) == .none)
  }

  @Test func whoGoesOnIsAtAnotherPlace() {
    let old = EditorPosition(path: "/a", line: 1, column: 2)
    var other = old
    other.isFocus = true
    #expect(other.isSamePlace(as: old))
    other.buffer = "1"
    #expect(!other.isSamePlace(as: old))
    for other in [
      EditorPosition(path: "/b", line: 1, column: 2), EditorPosition(path: nil, line: 1, column: 2),
      EditorPosition(path: "/a", line: 2, column: 2), EditorPosition(path: "/a", line: 1),
      EditorPosition(path: "/a", line: 1, column: 2, isModified: true),
    ] { #expect(!other.isSamePlace(as: old)) }
    #expect(!EditorPosition(path: "/e\u{301}").isSamePlace(as: EditorPosition(path: "/\u{E9}")))
  }

  @Test func titlesAreVisible() {
    #expect(EditorPosition(path: "/a/notes.txt").activityTitle == "notes.txt")
    #expect(EditorPosition(path: nil, isModified: true).activityTitle == "Unsaved text")
    #expect(EditorPosition(path: "/a/\u{301}x").activityTitle == "\u{301}x")
    #expect(EditorPosition(path: "/a\u{D4E}/x").activityTitle == "x")
    #expect(EditorPosition(path: "/a/\u{1B}[2Jx").activityTitle == "\u{FFFD}[2Jx")
  }
}
