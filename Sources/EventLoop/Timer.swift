import Dispatch

/// One timer that can be set again and again; it fires once each time it was set.
@Loop
package final class Timer {
  private let source: any DispatchSourceTimer
  private let handler: @Loop () -> Void

  package init(_ handler: @escaping @Loop () -> Void) {
    self.handler = handler
    source = DispatchSource.makeTimerSource(queue: Loop.queue)
    source.setEventHandler { [weak self] in self?.handler() }
    source.resume()
  }

  isolated deinit { source.cancel() }

  /// Fires at `instant`, and not at an instant that was set before. Nil: never.
  package func set(_ instant: ContinuousClock.Instant?) {
    guard let instant else { return source.schedule(deadline: .distantFuture) }
    let delay = max(.zero, instant - .now)
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let total = nanoseconds.overflow ? Int.max / 2 : nanoseconds.partialValue + Int(attoseconds / 1_000_000_000)
    source.schedule(deadline: .now() + .nanoseconds(total), leeway: .milliseconds(1))
  }
}
