// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

@testable import BatonDaemon

/// Reports from the login manager and the clocks. Each sleep begins and ends once.
enum WakefulnessFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [[0, 1, 0, 60, 3, 1, 1, 0], [1, 9, 0, 2, 0, 200, 2, 1], Array(0..<64)]

  static let length = 512

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let start = ContinuousClock.now
    var clocks = ClockReading(sinceStart: .zero, awake: .zero, calendar: .seconds(1_800_000_000))
    var machine = Wakefulness(clocks, at: start)
    var isAsleep = false
    var wakes = 0
    var signs = 0
    while !choices.isOver {
      let passed = Duration.milliseconds(Int(choices.byte()) * 100)
      clocks.sinceStart += passed
      clocks.calendar += passed
      if choices.flag() { clocks.awake += passed }
      if choices.number(below: 8) == 7 { clocks.calendar += .seconds(Int64(Int8(bitPattern: choices.byte())) * 3600) }
      let now = start + clocks.sinceStart
      let event: Wakefulness.Event
      switch choices.number(below: 4) {
      case 0: event = .fallingAsleep
      case 1: event = .awake(clocks)
      case 2: event = .clocks(clocks)
      default: event = .timerFired(deadline: now - .seconds(choices.number(below: 32)), clocks)
      }
      if event != .fallingAsleep { signs += 1 }
      switch machine.handle(event, at: now) {
      case .sleep:
        hold(!isAsleep, "It falls asleep twice")
        isAsleep = true
      case .wake:
        isAsleep = false
        wakes += 1
      case nil:
        if case .awake = event { hold(!isAsleep, "It was told that it is awake, and sleeps") }
      }
      hold(wakes <= signs, "It wakes without a sign")
    }
  }
}
