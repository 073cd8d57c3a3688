import EventLoop

/// What the system tells of sleep and of screens. Everything is called on the loop.
@Loop
package protocol LoginManager: AnyObject {
  /// Set it before ``start()``.
  var onEvent: (@Loop (LoginEvent) -> Void)? { get set }

  func start()

  /// Everything is ready for the sleep that ``LoginEvent/fallingAsleep`` told of.
  func allowSleep()

  /// No event comes after this call.
  func stop()
}

package enum LoginEvent: Equatable, Sendable {
  /// The machine goes to sleep as soon as ``LoginManager/allowSleep()`` is called, or a few seconds later.
  case fallingAsleep
  /// It is awake again, or was not put to sleep after all.
  case awake
  /// The users all of whose screens are locked, or for whoever wants to know of each screen, one of whose screens is; where they
  /// are others than before. Before, there are none.
  case lockedUsers(Set<UInt32>)
}
