// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct MutedListTests {
  @Test func linesOfMachinesAreReadAndOthersLeftAlone() {
    let (first, second) = (Machine.device(1), Machine.device(2))
    let text =
      "# Mine\n\n\(MutedList.line(first, name: "lap top"))  \(second.text)\r\n\(Machine.device(3).description) short\nx"
    #expect(MutedList.devices(text) == [first, second])
    #expect(MutedList.devices("") == [])
    // A mark after the space makes no other character of it.
    #expect(MutedList.devices("\(first.text) \u{301}x\r\n\u{600}\n\(second.text)") == [first, second])
  }

  @Test func aNameIsNoSecondLine() {
    let name = "a\n\(Machine.device(2).text)\u{1B}[2J" + String(repeating: "x", count: 1000)
    let line = MutedList.line(Machine.device(1), name: name)
    #expect(MutedList.devices(line) == [Machine.device(1)])
    #expect(line.utf8.count < 52 + MutedList.mutedNameLength + 8)
    #expect(Printable.isPlain(String(line.dropLast())))
  }
}
