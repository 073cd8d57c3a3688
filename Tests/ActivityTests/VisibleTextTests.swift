// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct VisibleTextTests {
  @Test(arguments: [
    ("Notes", 5, "Notes"), ("Notes", 4, "Note"), (String(repeating: "\u{2800}", count: 9) + "A", 27, nil),
    ("A", 0, nil),
  ])
  func whatIsLeftOfALineIsVisible(text: String, limit: Int, line: String?) {
    #expect(VisibleText.line(text, limit: limit) == line)
  }
}
