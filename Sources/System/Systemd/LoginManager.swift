// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Reports sleep and locked screens. Everything is called on the loop.
@Loop
package protocol LoginManager: AnyObject {
  /// Set this before ``start()``.
  var onEvent: (@Loop (LoginEvent) -> Void)? { get set }

  func start()

  /// Allows the sleep that ``LoginEvent/fallingAsleep`` announced, because everything is ready for it.
  func allowSleep()

  /// No event comes after this call.
  func stop()
}

package enum LoginEvent: Equatable, Sendable {
  /// The machine falls asleep as soon as ``LoginManager/allowSleep()`` is called, or after a few seconds anyway.
  case fallingAsleep
  /// The machine is awake again, or did not fall asleep after all.
  case awake
  /// The users whose screens are all locked; for a login manager that watches every screen, the users with at least one
  /// locked screen. Sent if they have changed. At first there are none.
  case lockedUsers(Set<UInt32>)
  /// The machine has another host name, says its service (systemd-hostnamed).
  case hostNameChanged
}
