// SPDX-License-Identifier: Apache-2.0

import Activity
import VarlinkClient

/// A standing call: what its connections do, and what its owner wants, in any order.
enum ReconnectionFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 1, 0, 0, 1, 1], [0, 1, 0, 2, 0, 3, 3, 3], [0, 2, 0, 3, 2, 1, 3, 1, 2], [0, 1, 0, 4, 3, 5, 0, 6], Array(0..<100),
  ]

  static let length = 512

  /// What a shell knows.
  private struct Shell {
    /// The calls that were made and not released, the oldest first.
    var calls: [Reconnection.Number] = []
    var wake: ContinuousClock.Instant?
    var isStanding = false
  }

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var machine = Reconnection { 0.5 }
    var shell = Shell()
    var now = ContinuousClock.now
    while !choices.isOver {
      now += .milliseconds(Int(choices.byte()) * 10)
      // Also of calls that were never made or have been released.
      let number = choices.flag() ? shell.calls.last ?? 0 : Reconnection.Number(choices.number(below: 8))
      let event: Reconnection.Event
      switch choices.number(below: 7) {
      case 0: event = .call
      case 1: event = .replied(number)
      case 2: event = .failed(number, .disconnected, pause: choices.flag() ? .seconds(60) : nil)
      case 3: event = .pause
      case 4: event = .settle
      case 5: event = .stop
      default:
        event = .wake
        if machine.isWaiting { shell.wake = nil }
      }
      perform(machine.handle(event, at: now), after: event, &shell, now)
      hold(shell.calls.count == (machine.isCalling ? 1 : 0) + (machine.isStanding ? 1 : 0), "\(shell) after \(event)")
      hold(machine.isWaiting == (shell.wake != nil), "\(shell) after \(event)")
      hold(!machine.isCalling || !machine.isWaiting, "It calls and waits after \(event)")
      if event == .stop { hold(shell.calls.isEmpty && shell.wake == nil, "\(shell) after the end") }
      shell.isStanding = machine.isStanding
    }
  }

  private static func perform(
    _ effects: [Reconnection.Effect],
    after event: Reconnection.Event,
    _ shell: inout Shell,
    _ now: ContinuousClock.Instant
  ) {
    for effect in effects {
      switch effect {
      case .call(let number):
        hold(number > shell.calls.last ?? 0, "Call \(number) is not new")
        shell.calls.append(number)
      case .release(let number):
        hold(shell.calls.contains(number), "Call \(number) is released twice")
        shell.calls.removeAll { $0 == number }
      case .wake(let instant):
        if let instant { hold(instant > now, "It does not wait after \(event)") }
        shell.wake = instant
      case .tellLost: hold(shell.isStanding, "A call that did not stand is lost")
      case .tellFailed: hold(shell.wake != nil, "Nothing follows a failure")
      }
    }
  }
}
