// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import BatonDaemon

struct WakefulnessTests {
  private let begin = ContinuousClock.now
  private var wakefulness: Wakefulness
  private var clocks = ClockReading(sinceStart: .seconds(100), awake: .seconds(90), calendar: .seconds(1_000_000))

  init() { wakefulness = Wakefulness(clocks, at: begin) }

  private var now: ContinuousClock.Instant { begin + clocks.sinceStart - .seconds(100) }

  private mutating func handle(_ event: Wakefulness.Event) -> Wakefulness.Effect? { wakefulness.handle(event, at: now) }

  private mutating func pass(_ duration: Duration, asleep: Duration = .zero, set: Duration = .zero) {
    clocks.sinceStart += duration + asleep
    clocks.awake += duration
    clocks.calendar += duration + asleep + set
  }

  @Test mutating func aSleepBeginsAndEndsOnce() {
    #expect(handle(.fallingAsleep) == .sleep)
    #expect(handle(.fallingAsleep) == nil)
    pass(.seconds(1), asleep: .seconds(600))
    #expect(handle(.awake(clocks)) == .wake)
    // The clocks show the same sleep, and so do the timers that stopped during it.
    #expect(handle(.clocks(clocks)) == nil)
    #expect(handle(.timerFired(deadline: now - .seconds(300), clocks)) == nil)
    #expect(handle(.awake(clocks)) == nil)
    #expect(handle(.fallingAsleep) == .sleep)
  }

  @Test mutating func theClocksMayTellFirst() {
    #expect(handle(.fallingAsleep) == .sleep)
    pass(.seconds(1), asleep: .seconds(600))
    #expect(handle(.clocks(clocks)) == .wake)
    #expect(handle(.awake(clocks)) == nil)
  }

  /// After a sleep, timers that were due during it may fire before the kernel tells of the clocks.
  @Test mutating func aLateTimerMayTellFirst() {
    pass(.seconds(1), asleep: .seconds(600))
    #expect(handle(.timerFired(deadline: now - .seconds(300), clocks)) == .wake)
    #expect(handle(.clocks(clocks)) == nil)
    pass(.seconds(1), set: .seconds(-600))
    #expect(handle(.clocks(clocks)) == .wake)
  }

  @Test mutating func theClocksTellWithoutALoginManager() {
    pass(.seconds(50), asleep: Wakefulness.shortestSleep - .milliseconds(1))
    #expect(handle(.clocks(clocks)) == nil)
    pass(.seconds(50), asleep: Wakefulness.shortestSleep)
    #expect(handle(.clocks(clocks)) == .wake)
    #expect(handle(.clocks(clocks)) == nil)
  }

  @Test(arguments: [1, -1]) mutating func aClockThatIsSetCountsAsAJump(sign: Int) {
    pass(.seconds(5), set: (Wakefulness.clockJump - .milliseconds(1)) * sign)
    #expect(handle(.clocks(clocks)) == nil)
    pass(.seconds(5), set: Wakefulness.clockJump * sign)
    #expect(handle(.clocks(clocks)) == .wake)
    pass(.seconds(5))
    #expect(handle(.clocks(clocks)) == nil)
  }

  @Test mutating func settingTheClockDoesNotWakeAMachineThatFallsAsleep() {
    #expect(handle(.fallingAsleep) == .sleep)
    pass(.milliseconds(100), set: .seconds(600))
    #expect(handle(.clocks(clocks)) == nil)
    #expect(handle(.awake(clocks)) == .wake)
  }

  @Test mutating func aProcessThatWasStoppedIsNoticedOnce() {
    pass(.seconds(60))
    #expect(handle(.timerFired(deadline: now - Wakefulness.lateTime + .milliseconds(1), clocks)) == nil)
    #expect(handle(.timerFired(deadline: now - Wakefulness.lateTime, clocks)) == .wake)
    #expect(handle(.timerFired(deadline: now - .seconds(40), clocks)) == nil)
    pass(.seconds(60))
    #expect(handle(.timerFired(deadline: now - .seconds(1), clocks)) == nil)
    #expect(handle(.timerFired(deadline: now - .seconds(30), clocks)) == .wake)
  }
}
