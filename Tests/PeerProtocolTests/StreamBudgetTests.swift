// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

struct StreamBudgetTests {
  private static let memory = 64 << 20

  @Test func theNextOneAlwaysFindsSome() {
    var budget = StreamBudget(memory: Self.memory)
    let shared = budget.shared
    let step = 32 * 1024
    // In steps, as windows grow.
    func fill(peer: Int = 0, user: Int = 0) -> Int {
      var held = 0
      while case let count = budget.take(step, held: (held, peer + held, user + held)), count > 0 { held += count }
      return held
    }
    let first = fill()
    #expect(abs(shared / 2 - first) <= step, "A stream gets half of it")
    let second = fill(peer: first, user: first)
    #expect(abs(shared * 2 / 3 - first - second) <= step, "A peer gets two thirds")
    let third = fill(user: first + second)
    #expect(abs(shared * 4 / 5 - first - second - third) <= step, "A user gets four fifths")
    #expect(fill() > shared / 11, "Another user gets half of the rest")
  }

  @Test func newStreamsLeaveHalfToThoseThatNeedIt() {
    var budget = StreamBudget(memory: Self.memory)
    for _ in 0..<budget.share.total { _ = budget.take(min(budget.openingGrowth, 448 * 1024), held: (0, 0, 0)) }
    #expect(budget.used <= budget.shared / 2)
    #expect(budget.used > budget.shared / 2 - 16 * 448 * 1024)
    budget.force(budget.shared)
    #expect(budget.openingGrowth == 0)
  }

  @Test func whatIsThereAlreadyCounts() {
    var budget = StreamBudget(memory: Self.memory)
    budget.force(budget.shared + 10)
    #expect(budget.take(1, held: (0, 0, 0)) == 0)
    budget.give(11)
    #expect(budget.take(1, held: (0, 0, 0)) == 1)
  }

  @Test func whatIsTooLittleIsNotTaken() {
    var budget = StreamBudget(memory: Self.memory)
    _ = budget.take(budget.shared - 10, held: (0, 0, 0))
    #expect(budget.take(11, atLeast: 11, held: (0, 0, 0)) == 0)
    #expect(budget.take(11, atLeast: 10, held: (0, 0, 0)) == 10)
    #expect(budget.take(1, held: (0, 0, 0)) == 0)
    budget.give(budget.used)
    #expect(budget.used == 0)
  }

  @Test func streamsWithTheirReservesTakeNoMoreThanThereIs() {
    var budget = StreamBudget(memory: Self.memory)
    #expect(budget.share.total == 256)
    for _ in 0..<budget.share.total { budget.addStream() }
    #expect(budget.streamCount * StreamBudget.reserve + budget.shared <= Self.memory)
    #expect(budget.shared > 0)
  }

  @Test func lessMemoryStopsFurtherGrowthOnly() {
    var budget = StreamBudget(memory: Self.memory)
    let count = budget.take(budget.shared, held: (0, 0, 0))
    budget.resize(to: 4 << 20)
    #expect(budget.take(1, held: (0, 0, 0)) == 0)
    budget.give(count)
    #expect(budget.take(1, held: (0, 0, 0)) == 1)
    #expect(budget.streamsPerPeer == 4)
  }
}
