import Dispatch

/// One timer that can be set again and again; it fires once each time it was set.
@Loop
package final class Timer {
  /// Called before any timer of the system's clock fires, with the deadline that it had: one that is long gone tells that
  /// the machine slept or this process was stopped.
  package static var onFire: (@Loop (ContinuousClock.Instant) -> Void)?

  /// When it fires next; nil: never.
  package private(set) var deadline: ContinuousClock.Instant?
  private let handler: @Loop () -> Void
  private var source: (any DispatchSourceTimer)?

  package init(_ handler: @escaping @Loop () -> Void) { self.handler = handler }

  isolated deinit {
    source?.cancel()
    Self.armed[ObjectIdentifier(self)] = nil
  }

  /// Those that Dispatch knows.
  private static var armed: [ObjectIdentifier: Unmanaged<Timer>] = [:]

  /// The machine has slept. Dispatch's timers stood still meanwhile, and the deadlines did not: what is due fires now.
  package static func catchUp() {
    for timer in armed.values.map({ $0.takeUnretainedValue() }) where timer.deadline != nil { timer.armSource() }
  }

  /// Fires at `instant`, and not at an instant that was set before. Nil: never.
  package func set(_ instant: ContinuousClock.Instant?) {
    guard instant != deadline else { return }
    deadline = instant
    Loop.clock.changed(self)
  }

  /// The deadline has come.
  package func fire() {
    deadline = nil
    handler()
  }

  /// Lets Dispatch fire the timer.
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
    // An event that was under way when the deadline was moved is none.
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
