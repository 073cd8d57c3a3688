// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

/// Writes down what is handled. An event causes the events that ``causes`` has for it.
private final class Story {
  let runner = MachineRunner<Int>()
  var causes: [Int: [Int]] = [:]
  private(set) var lines: [String] = []

  @discardableResult
  func handle(_ event: Int, after before: () -> Void = {}) -> Bool {
    runner.run(event, after: before) { event in
      lines.append("begin \(event)")
      for next in causes[event] ?? [] where handle(next) { lines.append("\(next) was not deferred") }
      lines.append("end \(event)")
    }
  }
}

@Suite struct MachineRunnerTests {
  @Test func whatAnEventCausesComesAfterItInOrder() {
    let story = Story()
    story.causes = [1: [2, 3], 2: [4]]
    #expect(story.handle(1))
    #expect(story.lines == [1, 2, 3, 4].flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test func itRunsAgain() {
    let story = Story()
    #expect(story.handle(1) && story.handle(2))
    #expect(story.lines == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test func whatIsCausedBeforehandComesAfterTheEvent() {
    let story = Story()
    var isNestedOver: Bool?
    let isOver = story.handle(1) { isNestedOver = story.handle(2) }
    #expect(isOver && isNestedOver == false)
    #expect(story.lines == ["begin 1", "end 1", "begin 2", "end 2"])
  }
}
