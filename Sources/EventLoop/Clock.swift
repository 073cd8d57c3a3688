/// Where the loop's time comes from. There is one for the process, as there is one loop.
@Loop
package protocol Clock: AnyObject {
  var now: ContinuousClock.Instant { get }
  /// Seconds since 1970-01-01 00:00:00 UTC.
  var date: Double { get }
  /// The timer's deadline has changed.
  func changed(_ timer: Timer)
}

extension Loop {
  /// The system's clocks; tests put one in its place that only moves when they say so.
  @Loop package static var clock: any Clock = SystemClock()

  @Loop package static var now: ContinuousClock.Instant { clock.now }
}
