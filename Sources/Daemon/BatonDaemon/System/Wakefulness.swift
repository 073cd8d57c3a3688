// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Decides whether the machine sleeps and when it has slept, from what the login manager says and what the clocks show.
///
/// Only the first of several signs of one sleep counts. Each sleep causes one `wake`.
struct Wakefulness {
  /// The shortest sleep that counts. A smaller difference between the machine's clocks is a measuring error.
  static let shortestSleep = Duration.seconds(1)
  /// The change of the calendar clock, in one step, above which it counts as a jump. Time services correct smaller
  /// differences gradually.
  static let clockJump = Duration.seconds(30)
  /// How late a timer must fire to show that the process was stopped. A busy machine is not that late.
  static let lateTime = Duration.seconds(10)

  enum Event: Equatable {
    /// The login manager says that the machine is falling asleep, or that it is awake.
    case fallingAsleep
    case awake(ClockReading)
    /// The calendar clock jumped, the machine slept, or somebody just checks.
    case clocks(ClockReading)
    /// A timer that should have fired at its deadline fires now.
    case timerFired(deadline: ContinuousClock.Instant, ClockReading)
  }

  enum Effect: Equatable {
    /// Withdraw what is offered.
    case sleep
    /// Offer it again, and distrust everything that was known about others.
    case wake
  }

  private var isAsleep = false
  private var last: ClockReading
  private var lastWake: ContinuousClock.Instant

  init(_ clocks: ClockReading, at now: ContinuousClock.Instant) {
    last = clocks
    lastWake = now
  }

  mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> Effect? {
    switch event {
    case .fallingAsleep:
      guard !isAsleep else { return nil }
      isAsleep = true
      return .sleep
    case .awake(let clocks):
      last = clocks
      return isAsleep ? wake(now) : nil
    case .clocks(let clocks):
      let slept = (clocks.sinceStart - clocks.awake) - (last.sinceStart - last.awake)
      let set = (clocks.calendar - last.calendar) - (clocks.sinceStart - last.sinceStart)
      last = clocks
      if slept >= Self.shortestSleep { return wake(now) }
      // Setting the clock while the machine is falling asleep does not wake it.
      return !isAsleep && abs(set) >= Self.clockJump ? wake(now) : nil
    case .timerFired(let deadline, let clocks):
      // A timer that is late because of a known sleep is no news, because timers stand still during sleep.
      guard deadline > lastWake, deadline + Self.lateTime <= now else { return nil }
      last = clocks
      return wake(now)
    }
  }

  private mutating func wake(_ now: ContinuousClock.Instant) -> Effect {
    isAsleep = false
    lastWake = now
    return .wake
  }

  private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
}
