// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ActivityTypes

struct PortQuestionsTests {
  private static let start = ContinuousClock.now

  private static func ask(
    _ questions: inout PortQuestions,
    _ ports: [UInt16],
    team: String = "a",
    after time: Duration = .zero
  ) -> PortQuestions.ID? {
    questions.ask(ports, team: team, device: "laptop", now: start + time)
  }

  private static func answer(
    _ questions: inout PortQuestions,
    _ ports: [UInt16],
    team: String = "a"
  ) -> [PortQuestions.ID] {
    questions.answer(ports.map { .init(port: $0, team: team) })
  }

  @Test func allPortsAreOneQuestion() throws {
    var questions = PortQuestions()
    let id = try #require(Self.ask(&questions, [5173, 24678]))
    #expect(questions.all[id]?.ports == [5173, 24678] && questions.all[id]?.device == "laptop")
    let none = Self.ask(&questions, [24678, 5173])
    #expect(none == nil && questions.all.count == 1)
    let nothing = Self.ask(&questions, [])
    #expect(nothing == nil)
    // Another team is asked for itself.
    let other = Self.ask(&questions, [5173], team: "b")
    #expect(other != nil && questions.all.count == 2)
  }

  /// The user may be about to allow what it names.
  @Test func aQuestionNeverGrows() throws {
    var questions = PortQuestions()
    let first = try #require(Self.ask(&questions, [5173]))
    let second = try #require(Self.ask(&questions, [5173, 22]))
    #expect(questions.all[first]?.ports == [5173] && questions.all[second]?.ports == [22])
  }

  @Test func anAnswerIsForItsPortAndTeam() throws {
    var questions = PortQuestions()
    let first = try #require(Self.ask(&questions, [1, 2, 3]))
    let other = try #require(Self.ask(&questions, [1], team: "b"))
    #expect(Self.answer(&questions, [2, 9]) == [first])
    #expect(questions.all[first]?.ports == [1, 3] && questions.all[other]?.ports == [1])
    #expect(Self.answer(&questions, [2]) == [])
    #expect(Self.answer(&questions, [3, 1]) == [first])
    #expect(questions.all.keys.elementsEqual([other]) && !questions.contains(.init(port: 1, team: "a")))
    // A number isn't used again: its notification may still be clicked.
    let next = Self.ask(&questions, [1])
    #expect(next != first && next != other)
  }

  @Test func aQuestionEndsByItself() throws {
    var questions = PortQuestions()
    let first = try #require(Self.ask(&questions, [1]))
    let second = try #require(Self.ask(&questions, [2], after: .seconds(1)))
    #expect(questions.end == Self.start + LocalPageLimits.questionTime)
    #expect(questions.expire(Self.start) == [])
    #expect(questions.expire(Self.start + LocalPageLimits.questionTime) == [first])
    #expect(questions.all.keys.elementsEqual([second]))
    #expect(questions.expire(Self.start + LocalPageLimits.questionTime * 2) == [second] && questions.end == nil)
  }

  @Test func thereAreNotTooMany() {
    var questions = PortQuestions()
    for port in 1...LocalPageLimits.questions {
      let id = Self.ask(&questions, [UInt16(port)])
      #expect(id != nil)
    }
    let more = Self.ask(&questions, [9])
    #expect(more == nil && questions.all.count == LocalPageLimits.questions)
    // One machine doesn't take the others' place.
    for number in LocalPageLimits.questions..<LocalPageLimits.allQuestions {
      let id = questions.ask([UInt16(number + 100)], team: "a", device: "machine \(number)", now: Self.start)
      #expect(id != nil)
    }
    let last = questions.ask([99], team: "a", device: "last", now: Self.start)
    #expect(last == nil && questions.all.count == LocalPageLimits.allQuestions)
  }
}
