import Activity
import CSystemd
import Glibc

/// What a service tells systemd (sd_notify(3)). Nothing happens if no service manager listens.
package enum ServiceManager {
  package static func ready(status: String) { _ = sd_notify(0, "READY=1\nSTATUS=\(Printable.text(status))") }

  /// Must be followed by ``ready(status:)``, for which systemd waits before it reports that the service was reloaded.
  package static func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    _ = sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(microseconds)\nSTATUS=Reloading")
  }

  package static func status(_ status: String) { _ = sd_notify(0, "STATUS=\(Printable.text(status))") }

  package static func stopping() { _ = sd_notify(0, "STOPPING=1\nSTATUS=Stopping") }

  /// The watchdog's keep-alive.
  package static func isAlive() { _ = sd_notify(0, "WATCHDOG=1") }

  /// How long systemd waits for the next keep-alive before it considers the service hung; nil if there is no watchdog.
  package static var watchdogTime: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }
}
