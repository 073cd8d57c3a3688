// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Tells systemd periodically that the loop is running, if the unit has `WatchdogSec=` (systemd.service(5)). A blocked
/// loop cannot do so, and systemd restarts the service. Other queues, such as the one that waits for Avahi, do not
/// matter.
@Loop
package final class Watchdog {
  private let tell: @Loop () -> Void
  private var timer: Timer?

  /// - Parameters:
  ///   - time: The time after which systemd gives up on the service; nil if there is no watchdog.
  ///   - tell: Called immediately, and then twice in that time.
  package init(
    time: Duration? = ServiceManager.watchdogTime,
    tell: @escaping @Loop () -> Void = { ServiceManager.isAlive() }
  ) {
    self.tell = tell
    guard let time else { return }
    let timer = Timer { [weak self] in self?.fired(pause: time / 2) }
    self.timer = timer
    fired(pause: time / 2)
  }

  private func fired(pause: Duration) {
    tell()
    timer?.set(Loop.now + pause)
  }
}
