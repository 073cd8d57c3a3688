import EventLoop

/// Tells systemd again and again that the loop goes round, where the unit has `WatchdogSec=` (systemd.service(5)): a loop that is
/// blocked does not, and the service is started again. Whatever waits elsewhere, such as for Avahi, does not count.
@Loop
package final class Watchdog {
  private let tell: @Loop () -> Void
  private var timer: Timer?

  /// - Parameters:
  ///   - time: After which systemd gives the service up; nil where it does not watch.
  ///   - tell: Called at once, and then twice in that time.
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
