import Dispatch

/// One timer that can be set repeatedly. It fires once each time it is set.
@Loop
package final class Timer {
  /// Called with the timer's deadline before any timer of the system's clock fires. A deadline that is long past means
  /// that the machine slept or this process was stopped.
  package static var onFire: (@Loop (ContinuousClock.Instant) -> Void)?

  /// When it fires next; nil if never.
  package private(set) var deadline: ContinuousClock.Instant?
  private let handler: @Loop () -> Void
  private var source: (any DispatchSourceTimer)?

  package init(_ handler: @escaping @Loop () -> Void) { self.handler = handler }

  isolated deinit {
    source?.cancel()
    Self.armed[ObjectIdentifier(self)] = nil
  }

  /// The timers that Dispatch knows.
  private static var armed: [ObjectIdentifier: Unmanaged<Timer>] = [:]

  /// The timers that Dispatch will fire.
  package static var pending: [Timer] {
    armed.values.map { $0.takeUnretainedValue() }.filter { $0.deadline != nil }
  }

  /// Sets Dispatch's timers again after the machine has slept. They stood still in the meantime, unlike the deadlines.
  /// So whatever is due fires now.
  package static func catchUp() { for timer in pending { timer.armSource() } }

  /// Makes the timer fire at `instant`, and no longer at an instant that was set before. With nil, it never fires.
  package func set(_ instant: ContinuousClock.Instant?) {
    guard instant != deadline else { return }
    deadline = instant
    Loop.clock.changed(self)
  }

  /// Fires the timer, because its deadline has come.
  package func fire() {
    deadline = nil
    handler()
  }

  /// Makes Dispatch fire the timer at its deadline.
  func armSource() {
    guard let deadline else {
      source?.schedule(deadline: .distantFuture)
      return
    }
    let source = source ?? makeSource()
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    let whole = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let nanoseconds = whole.overflow ? Int.max / 2 : whole.partialValue + Int(attoseconds / 1_000_000_000)
    source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .milliseconds(1))
  }

  private func makeSource() -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: Loop.queue)
    // Ignore an event that was already on its way when the deadline was moved.
    source.setEventHandler { [weak self] in
      guard let self, let deadline = self.deadline else { return }
      guard deadline <= .now else { return self.armSource() }
      Timer.onFire?(deadline)
      self.fire()
    }
    source.resume()
    self.source = source
    Self.armed[ObjectIdentifier(self)] = .passUnretained(self)
    return source
  }
}
