import Activity
import EventLoop

/// Whether the machine sleeps, and when it has slept: as the login manager says and as the clocks show.
///
/// Of the signs of one sleep the first counts: each sleep has one `wake`.
struct Wakefulness {
  enum Event: Equatable {
    /// The login manager says that the machine goes to sleep, and that it is awake.
    case fallingAsleep
    case awake(ClockReading)
    /// The calendar clock jumped, or the machine slept, or somebody just looks.
    case clocks(ClockReading)
    /// A timer that should have fired at its deadline fires now.
    case timerFired(deadline: ContinuousClock.Instant)
  }

  enum Effect: Equatable {
    /// Withdraw what is offered.
    case sleep
    /// Offer it again, and distrust everything that was known of others.
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
      if slept >= Limits.shortestSleep { return wake(now) }
      // Whoever sets the clock while the machine falls asleep does not wake it.
      return !isAsleep && abs(set) >= Limits.clockJump ? wake(now) : nil
    case .timerFired(let deadline):
      // What is late because of a sleep that is known is no news: timers stand still in it.
      guard deadline > lastWake, deadline + Limits.lateTime <= now else { return nil }
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
