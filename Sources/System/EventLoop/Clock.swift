// SPDX-License-Identifier: Apache-2.0

/// The source of the loop's time. There is one for the process, because there is one loop.
@Loop
package protocol Clock: AnyObject {
  var now: ContinuousClock.Instant { get }
  /// Seconds since 1970-01-01 00:00:00 UTC.
  var date: Double { get }
  /// Called when the timer's deadline has changed.
  func changed(_ timer: Timer)
}

extension Loop {
  /// The system's clocks. Tests replace them with a clock that moves only when the test says so.
  @Loop package static var clock: any Clock = SystemClock()

  @Loop package static var now: ContinuousClock.Instant { clock.now }
}
