// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

/// How lines that a person types are understood.
@Suite struct QuestionTests {
  @Test func anEmptyLineIsAYes() {
    for line in ["", "y", "Y", "yes", "YES"] { #expect(Question.decision(line) == true) }
    for line in ["n", "N", "no", "NO"] { #expect(Question.decision(line) == false) }
  }

  @Test func anotherWordIsNeitherYesNorNo() {
    for line in ["perhaps", "yy", "ja", "0", " ", " y"] { #expect(Question.decision(line) == nil) }
  }

  @Test func answersAreNumberedFromOne() {
    #expect(Question.index("1", of: 3) == 0)
    #expect(Question.index("3", of: 3) == 2)
    for line in ["", "0", "4", "-1", "1.", "one", "99999999999999999999"] {
      #expect(Question.index(line, of: 3) == nil)
    }
  }
}
