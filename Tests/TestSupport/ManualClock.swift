// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// A clock that moves only when the test says so. Timers that are due fire on the next turn of the loop, or inside
/// ``advance(by:)``.
///
/// The process has one loop, and the loop one clock. So install this one only in tests with the trait ``Isolation``,
/// which puts the system's clock back, or in a process that runs nothing else (an exit test).
@Loop
package final class ManualClock: Clock {
  private struct Waiting {
    weak var timer: Timer?
    let order: Int
  }

  package private(set) var now = ContinuousClock.Instant.now
  package private(set) var date = SystemClock().date
  private var waiting: [ObjectIdentifier: Waiting] = [:]
  private var lastOrder = 0

  private init() {}

  /// Installs a clock that makes the loop's time stand still.
  package nonisolated static func install() throws -> ManualClock {
    try onLoop {
      let clock = ManualClock()
      Loop.clock = clock
      return clock
    }
  }

  package func changed(_ timer: Timer) {
    lastOrder += 1
    guard let deadline = timer.deadline else {
      waiting[ObjectIdentifier(timer)] = nil
      return
    }
    waiting[ObjectIdentifier(timer)] = Waiting(timer: timer, order: lastOrder)
    if deadline <= now { Task { @Loop in fireDue() } }
  }

  /// How many timers wait.
  var waitingCount: Int { waiting.count { $0.value.timer?.deadline != nil } }

  /// Lets time pass. Timers that become due fire in order, each at its own instant.
  package func advance(by duration: Duration) {
    let end = now + duration
    while let (timer, deadline) = next(until: end) {
      date += max(.zero, deadline - now).seconds
      now = max(now, deadline)
      timer.fire()
    }
    date += (end - now).seconds
    now = end
  }

  /// Lets time pass, from a test's thread.
  package nonisolated func pass(_ duration: Duration) throws { try onLoop { self.advance(by: duration) } }

  private func fireDue() { while let (timer, _) = next(until: now) { timer.fire() } }

  private func next(until end: ContinuousClock.Instant) -> (Timer, ContinuousClock.Instant)? {
    waiting = waiting.filter { $0.value.timer?.deadline != nil }
    let due = waiting.values.compactMap { entry in
      entry.timer.flatMap { timer in timer.deadline.map { (timer: timer, deadline: $0, order: entry.order) } }
    }
    let first = due.filter { $0.deadline <= end }.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
    return first.map { ($0.timer, $0.deadline) }
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
