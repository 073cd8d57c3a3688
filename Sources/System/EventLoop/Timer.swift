// SPDX-License-Identifier: Apache-2.0

/// One timer that can be set repeatedly. It fires once each time it is set.
@Loop
package final class Timer {
  /// Called with the timer's deadline before any timer of the system's clock fires. A deadline that is long past means
  /// that the machine slept or this process was stopped.
  package static var onFire: (@Loop (ContinuousClock.Instant) -> Void)?

  /// When it fires next; nil if never.
  package private(set) var deadline: ContinuousClock.Instant?
  private let handler: @Loop () -> Void
  /// Its index in the heap of `TimerQueue`; nil if it is not there.
  var index: Int?

  package init(_ handler: @escaping @Loop () -> Void) {
    self.handler = handler
    // It opens its descriptor with the first timer. When that is set, there may be none left.
    _ = TimerQueue.shared
  }

  isolated deinit { if index != nil { TimerQueue.shared.remove(self) } }

  /// The timers of the system's clock that will fire.
  package static var pending: [Timer] { TimerQueue.shared.timers }

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

  /// The system's clock has reached an instant for which the timer was set. Another clock may have moved the deadline
  /// in the meantime.
  func called() {
    guard let deadline else { return }
    guard deadline <= .now else { return TimerQueue.shared.update(self) }
    Timer.onFire?(deadline)
    fire()
  }
}
