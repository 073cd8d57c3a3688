// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine's clocks at one moment.
package struct ClockReading: Equatable, Sendable {
  /// The time since the machine was started, including sleep.
  package var sinceStart: Duration
  /// The time since the machine was started, without sleep.
  package var awake: Duration
  /// The time since 1970-01-01 00:00:00 UTC, which depends on who sets the clock.
  package var calendar: Duration

  package init(sinceStart: Duration, awake: Duration, calendar: Duration) {
    self.sinceStart = sinceStart
    self.awake = awake
    self.calendar = calendar
  }

  package static var now: ClockReading {
    ClockReading(sinceStart: read(CLOCK_BOOTTIME), awake: read(CLOCK_MONOTONIC), calendar: read(CLOCK_REALTIME))
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
