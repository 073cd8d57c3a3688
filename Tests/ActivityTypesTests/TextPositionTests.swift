// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

struct TextPositionTests {
  @Test func userInfoIsReadAsItWasWritten() {
    var position = TextPosition(document: ["path": "/home/ada/notes.txt"], line: 7)
    (position.column, position.topLine, position.language) = (3, 5, "swift")
    position.isModified = true
    position.view = ["org.vim.view": ["topline": 5]]
    #expect(TextPosition(userInfo: position.userInfo) == position)
  }

  @Test func whatIsNotAllowedIsLeftOut() {
    let position = TextPosition(
      userInfo: [
        "line": 0, "column": .integer(1 << 40), "topLine": "5", "language": "../x", "isModified": 1,
        "document": "/etc/passwd", "org.vim.view": [1], "view": "x", "org.x.$url": "y",
        "org.example.view": ["$url": 1], "org.example.nested": ["a": ["b": 1]],
        "org.example.negative": ["a": -1], "org.example.large": ["a": 2_147_483_648],
      ]
    )
    #expect(position == TextPosition(line: 1))
  }

  @Test func viewsThatAreTooLongAreLeftOut() {
    var position = TextPosition(document: ["path": "/x"], line: 1)
    position.view = ["org.vim.view": .string(String(repeating: "x", count: 4000))]
    #expect(TextPosition(userInfo: position.userInfo).view.isEmpty)
    #expect(TextPosition(userInfo: position.userInfo).document == ["path": "/x"])
  }

  @Test(arguments: [
    ("notes.txt", "notes.txt", nil, nil), ("notes.txt:7", "notes.txt", 7, nil), ("a:b:7:3", "a:b", 7, 3),
    ("notes.txt:0", "notes.txt:0", nil, nil), ("odd:7", "odd:7", nil, nil), ("odd:7:3", "odd:7", 3, nil),
    ("a:99999999999:3", "a:99999999999", 3, nil), ("a:1:2:3", "a:1", 2, 3),
  ])
  func positionsAfterNamesOfFiles(_ text: String, _ path: String, _ line: Int?, _ column: Int?) {
    let position = FilePosition(text) { $0 == "odd:7" }
    #expect((position.path, position.line, position.column) == (path, line, column))
  }
}
