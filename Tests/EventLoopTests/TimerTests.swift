// SPDX-License-Identifier: Apache-2.0

import EventLoop
import SeededGenerator
import TestSupport
import Testing

extension EventLoopTests {
  struct TimerTests {
    @Test func aTimerFiresOnceAndNotBeforeItsTime() throws {
      let shots = try onLoop { Shots() }
      let start = try onLoop {
        shots.add { _ in }
        let now = Loop.now
        shots.timers[0].set(now + .milliseconds(30))
        return now
      }
      try waitUntil("It fires") { try onLoop { shots.fired.count == 1 } }
      let taken = try onLoop { shots.fired[0].at - start }
      #expect(taken >= .milliseconds(30))
      let deadline = try onLoop { shots.timers[0].deadline }
      #expect(deadline == nil)
    }

    @Test func aTimerThatWasMovedFiresAtItsNewTime() throws {
      let shots = try onLoop { Shots() }
      let start = try onLoop {
        for _ in 0..<3 { shots.add { _ in } }
        let now = Loop.now
        shots.timers[0].set(now + .milliseconds(1))
        shots.timers[0].set(now + .milliseconds(60))
        shots.timers[1].set(now + .seconds(3600))
        shots.timers[1].set(now + .milliseconds(1))
        shots.timers[2].set(now + .milliseconds(1))
        shots.timers[2].set(nil)
        return now
      }
      try waitUntil("Two fire") { try onLoop { shots.fired.count == 2 } }
      #expect(try onLoop { shots.fired.map(\.number) } == [1, 0])
      #expect(try onLoop { shots.fired[1].at } - start >= .milliseconds(60))
      // The one that was stopped can be set again, to any time.
      try onLoop {
        shots.timers[2].set(Loop.now + .seconds(3600))
        shots.timers[2].set(nil)
        shots.timers[2].set(Loop.now + .milliseconds(1))
      }
      try waitUntil("It fires, too") { try onLoop { shots.fired.map(\.number) == [1, 0, 2] } }
    }

    @Test func aTimerMayBeSetAgainAndLetGoInItsHandler() throws {
      let shots = try onLoop { Shots() }
      try onLoop {
        shots.add { shots in
          if shots.fired.count < 5 {
            shots.timers[0].set(Loop.now)
          } else {
            shots.timers = []
          }
        }
        shots.timers[0].set(.now - .seconds(1))
      }
      try waitUntil("It fires five times") { try onLoop { shots.fired.count == 5 && shots.timers.isEmpty } }
    }

    @Test func theFarthestFutureIsNoOverflow() throws {
      let shots = try onLoop { Shots() }
      try onLoop {
        for _ in 0..<2 { shots.add { _ in } }
        shots.timers[0].set(Loop.now + .seconds(Int64.max / 4))
        shots.timers[1].set(Loop.now + .milliseconds(5))
      }
      try waitUntil("The near one fires") { try onLoop { shots.fired.map(\.number) == [1] } }
    }

    @Test func manyTimersFireInTheOrderOfTheirDeadlines() throws {
      let shots = try onLoop { Shots() }
      let (expected, start) = try onLoop {
        var random = SeededGenerator(seed: 7)
        let start = Loop.now
        var delays: [Int?] = []
        for _ in 0..<2000 {
          shots.add { _ in }
          delays.append(nil)
        }
        // Each is moved, stopped or left alone a few times. Some never fire.
        for _ in 0..<10_000 {
          let number = Int.random(in: 0..<2000, using: &random)
          delays[number] = Int.random(in: 0..<9, using: &random) == 0 ? nil : Int.random(in: 0..<80_000, using: &random)
          shots.timers[number].set(delays[number].map { start + .milliseconds(200) + .microseconds($0) })
        }
        // And some are let go.
        for number in 1900..<2000 { delays[number] = nil }
        shots.timers.removeLast(100)
        return (delays, start)
      }
      let count = expected.count { $0 != nil }
      try waitUntil("All fire") { try onLoop { shots.fired.count >= count } }
      let fired = try onLoop { shots.fired }
      let delays = fired.compactMap { expected[$0.number] }
      #expect(delays.count == count && fired.count == count)
      #expect(delays == delays.sorted())
      for shot in fired {
        #expect(shot.at - start >= .milliseconds(200) + .microseconds(expected[shot.number] ?? 0))
      }
      #expect(try onLoop { shots.timers.allSatisfy { $0.deadline == nil } })
    }

    @Test func aManualClockFiresInOrderAndOnlyWhenItIsMoved() throws {
      let clock = try ManualClock.install()
      let shots = try onLoop { Shots() }
      let start = try onLoop {
        for _ in 0..<4 { shots.add { _ in } }
        shots.add { shots in shots.timers[0].set(Loop.now + .seconds(1)) }
        shots.timers[2].set(Loop.now + .seconds(3))
        shots.timers[1].set(Loop.now + .seconds(2))
        shots.timers[3].set(Loop.now + .seconds(2))
        shots.timers[4].set(Loop.now + .seconds(1))
        return Loop.now
      }
      try clock.pass(.milliseconds(999))
      #expect(try onLoop { shots.fired.isEmpty })
      try clock.pass(.milliseconds(1))
      #expect(try onLoop { shots.fired.map(\.number) } == [4])
      try clock.pass(.seconds(10))
      // The timer that was set in the meantime fired between the others, at its own time.
      #expect(try onLoop { shots.fired.map(\.number) } == [4, 1, 3, 0, 2])
      #expect(try onLoop { shots.fired.map { $0.at - start } } == [1, 2, 2, 2, 3].map { Duration.seconds($0) })
    }
  }
}

@Loop
private final class Shots {
  var fired: [(number: Int, at: ContinuousClock.Instant)] = []
  var timers: [Timer] = []

  func add(_ handler: @escaping @Loop (Shots) -> Void) {
    let number = timers.count
    timers.append(
      Timer { [weak self] in
        guard let self else { return }
        self.fired.append((number, Loop.now))
        handler(self)
      }
    )
  }
}
