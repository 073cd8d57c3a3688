// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct HelperMessageTests {
  private func events(_ text: String, by count: Int = 1000) throws -> [HelperEvent] {
    var decoder = HelperDecoder()
    let bytes = Array(text.utf8)
    return try stride(from: 0, to: bytes.count, by: count).flatMap { start in
      try decoder.receive(bytes[start..<min(start + count, bytes.count)])
    }
  }

  @Test(arguments: [1, 2, 7, 1000]) func linesAndContentsComeInAnyPieces(_ count: Int) throws {
    let text =
      "ready x11\nselection 1 UTF8_STRING a%20b%25\nnone 2\nwant 3 image/png\ncontent 4 5\n12\n45content 5 0\nfailed 6\n"
    #expect(
      try events(text, by: count) == [
        .ready, .selected(1, names: ["UTF8_STRING", "a b%"]), .unselected(2), .wanted(request: 3, name: "image/png"),
        .content(request: 4, Array("12\n45".utf8)), .content(request: 5, []), .content(request: 6, nil),
      ]
    )
  }

  @Test func aLongContentInSmallPartsIsNotCopiedForEach() throws {
    var decoder = HelperDecoder()
    let size = Limits.clipboardLength
    #expect(try decoder.receive(Array("content 1 \(size)\n".utf8)[...]) == [])
    let part = [UInt8](repeating: 7, count: 4096)[...]
    var events: [HelperEvent] = []
    for _ in 0..<size / part.count { events += try decoder.receive(part) }
    #expect(events == [.content(request: 1, Array(repeating: 7, count: size))])
  }

  @Test(arguments: [
    "\n", "selection\n", "selection -1\n", "want 1\n", "content 1 67108865\n", "content 1 -1\n", "other 1\n",
    String(repeating: "x", count: 200_000),
  ])
  func anythingElseIsMalformed(_ text: String) { #expect(throws: HelperDecoder.Malformed.self) { try events(text) } }

  @Test func commandsAreLines() {
    #expect(HelperCommand.offer(selection: 7, ["text/html", "a b"]).bytes == Array("offer 7 text%2Fhtml a%20b\n".utf8))
    #expect(HelperCommand.get(request: 1, selection: 2, name: "STRING").bytes == Array("get 1 2 STRING\n".utf8))
    #expect(HelperCommand.give(request: 1, [0x61]).bytes == Array("give 1 1\na".utf8))
    #expect(HelperCommand.refuse(request: 1).bytes == Array("refuse 1\n".utf8))
    #expect(HelperCommand.drop.bytes == Array("drop\n".utf8))
  }
}
