// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's clocks and timers.
@Loop
package final class SystemClock: Clock {
  package init() {}

  package var now: ContinuousClock.Instant { .now }

  package var date: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package func changed(_ timer: Timer) { TimerQueue.shared.update(timer) }
}
