// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

struct WrappedTextTests {
  @Test(
    arguments: [
      ("one two three", "one two\nthree"),
      ("one two 3", "one two 3"),
      ("  one two\n  a b", "  one two\n  a b"),
      ("  one two three", "  one two\n  three"),
      ("incomprehensible a", "incomprehensible\na"),
      ("  incomprehensible", "  incomprehensible"),
      ("\n    one\n\ntwo\n", "\n    one\n\ntwo\n"),
    ] as [(String, String)]
  )
  func linesBreakBetweenWords(_ text: String, _ expected: String) {
    #expect(WrappedText.text(text, columns: 9) == expected)
    #expect(WrappedText.text(text, columns: nil) == text)
  }
}
