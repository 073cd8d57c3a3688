// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Systemd

/// A login manager that reports what the test wants.
@Loop
package final class FakeLogin: LoginManager {
  package var onEvent: (@Loop (LoginEvent) -> Void)?
  /// How often the machine was allowed to sleep.
  package private(set) var allowedSleeps = 0
  package private(set) var isStarted = false

  package nonisolated init() {}

  package func start() { isStarted = true }

  package func allowSleep() { allowedSleeps += 1 }

  package func stop() {
    isStarted = false
    onEvent = nil
  }

  /// Sends the event to the daemon, from a test's thread.
  package nonisolated func tell(_ event: LoginEvent) throws { try onLoop { self.onEvent?(event) } }
}
