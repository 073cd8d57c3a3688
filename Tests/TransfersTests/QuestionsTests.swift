// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct QuestionsTests {
  private let desktop = DeviceID(bytes: [UInt8](repeating: 1, count: 32))!
  private let laptop = DeviceID(bytes: [UInt8](repeating: 2, count: 32))!
  private let one = ActivityID(text: "1f0c77ab-0000-4000-8000-000000000001")!
  private let other = ActivityID(text: "1f0c77ab-0000-4000-8000-000000000002")!

  @Test func anotherTitleIsAnotherQuestion() {
    var questions = Questions()
    #expect(questions.revision(one, from: desktop, "holiday.jpg") == nil)
    #expect(questions.revision(one, from: desktop, "holiday.jpg") == nil)
    #expect(questions.revision(one, from: desktop, "run-me.desktop") == 2)
    #expect(questions.revision(one, from: desktop, "holiday.jpg") == 3)
  }

  @Test func anotherTransferWithTheSameDigitsIsAnotherQuestion() {
    var questions = Questions()
    #expect(questions.revision(one, from: desktop, "holiday.jpg") == nil)
    #expect(questions.revision(other, from: desktop, "holiday.jpg") == 2)
    // What a person types does not name the machine.
    #expect(questions.revision(one, from: laptop, "holiday.jpg") == 3)
  }

  @Test func whatWasForgottenIsNotAskedAsTheFirstTime() {
    var questions = Questions()
    #expect(questions.revision(one, from: desktop, "holiday.jpg") == nil)
    for number in 0..<2 * Questions.rememberedQuestions {
      let digits = String(number, radix: 16)
      let text = String(repeating: "0", count: 8 - digits.utf8.count) + digits + "-0000-4000-8000-000000000001"
      _ = questions.revision(ActivityID(text: text)!, from: desktop, "x")
    }
    #expect((questions.revision(one, from: desktop, "run-me.desktop") ?? 0) > 1)
  }
}
