// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

extension EventLoopTests {
  /// Tests/Integration/test_wake.py tests that setting a clock is reported, because it takes a clock that can be set.
  struct ClockWatchTests {
    @Test func theClocksAgree() {
      let first = ClockReading.now
      let second = ClockReading.now
      #expect(second.sinceStart >= first.sinceStart && second.awake >= first.awake)
      #expect(first.sinceStart - first.awake > .seconds(-1))
      #expect(first.calendar > .seconds(1_700_000_000))
    }

    @Test func aWatchIsSilentWhileNothingHappensAndLeavesNothingOpen() throws {
      let timer = try onLoop { Timer {} }
      // The descriptor of all timers is open from now on.
      try onLoop { timer.set(Loop.now + .milliseconds(1)) }
      try waitUntil("The loop runs") { try onLoop { timer.deadline == nil } }
      try Descriptors.settle()
      let before = Self.lowestFreeDescriptor
      let (watch, count) = try onLoop {
        let count = Count()
        return (ClockWatch { count.value += 1 }, count)
      }
      #expect(Self.lowestFreeDescriptor > before)
      try onLoop { timer.set(Loop.now + .milliseconds(200)) }
      try waitUntil("Time passes") { try onLoop { timer.deadline == nil } }
      #expect(try onLoop { count.value } == 0)
      try onLoop { watch.close() }
      #expect(Self.lowestFreeDescriptor == before)
    }

    @Test func aTimerTellsWhenItShouldHaveFired() throws {
      let told = try onLoop { Count() }
      let timer = try onLoop { Timer {} }
      let deadline = try onLoop {
        Timer.onFire = { if $0 <= .now { told.deadline = $0 } }
        let deadline = Loop.now + .milliseconds(20)
        timer.set(deadline)
        return deadline
      }
      try waitUntil("It is told") { try onLoop { told.deadline != nil } }
      #expect(try onLoop { told.deadline } == deadline)
      try onLoop { Timer.onFire = nil }
    }

    private static var lowestFreeDescriptor: Int32 {
      let descriptor = dup(STDERR_FILENO)
      close(descriptor)
      return descriptor
    }

    @Loop
    private final class Count {
      var value = 0
      var deadline: ContinuousClock.Instant?

      nonisolated init() {}
    }
  }
}
