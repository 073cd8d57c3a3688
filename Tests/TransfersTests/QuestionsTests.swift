import Activity
import Testing

@testable import Transfers

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
    #expect(questions.revision(one, from: laptop, "holiday.jpg") == nil)
  }
}
