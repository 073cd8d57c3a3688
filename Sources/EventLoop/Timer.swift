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
  /// When Dispatch calls next; nil if it does not.
  private var call: ContinuousClock.Instant?
  /// Whether that is for a deadline that was dropped. Telling Dispatch wakes another thread, and most deadlines are
  /// dropped. So it is left as it is, and serves for the next deadline if that comes later.
  private var isSpare = false

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
  package static func catchUp() {
    for timer in armed.values.map({ $0.takeUnretainedValue() }) {
      timer.call = nil
      timer.armSource()
    }
  }

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

  /// Makes Dispatch call at the deadline, or earlier.
  func armSource() {
    guard let deadline else { return isSpare = true }
    if isSpare, let call, call <= deadline { return }
    (call, isSpare) = (deadline, false)
    let source = source ?? makeSource()
    let pause = deadline - .now
    guard pause > .zero else {
      // Dispatch would take up to its leeway.
      Task { @Loop [weak self] in self?.called() }
      return
    }
    let (seconds, attoseconds) = pause.components
    let whole = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let nanoseconds = whole.overflow ? Int.max / 2 : whole.partialValue + Int(attoseconds / 1_000_000_000)
    source.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .milliseconds(1))
  }

  /// Dispatch calls. The deadline may have been moved in the meantime.
  private func called() {
    (call, isSpare) = (nil, false)
    guard let deadline else { return }
    guard deadline <= .now else { return armSource() }
    Timer.onFire?(deadline)
    fire()
  }

  private func makeSource() -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: Loop.queue)
    source.setEventHandler { [weak self] in self?.called() }
    source.resume()
    self.source = source
    Self.armed[ObjectIdentifier(self)] = .passUnretained(self)
    return source
  }
}
