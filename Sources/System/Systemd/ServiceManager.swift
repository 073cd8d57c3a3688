// SPDX-License-Identifier: Apache-2.0

import Activity
import CSystemd
import Glibc

/// What a service tells systemd (sd_notify(3)). Nothing happens if no service manager listens.
package enum ServiceManager {
  package static func ready(status: String) { notify("READY=1\nSTATUS=\(Printable.text(status))") }

  /// Must be followed by ``ready(status:)``, for which systemd waits before it reports that the service was reloaded.
  package static func reloading() {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    notify("RELOADING=1\nMONOTONIC_USEC=\(microseconds)\nSTATUS=Reloading")
  }

  package static func status(_ status: String) { notify("STATUS=\(Printable.text(status))") }

  package static func stopping() { notify("STOPPING=1\nSTATUS=Stopping") }

  /// The watchdog's keep-alive.
  package static func isAlive() { notify("WATCHDOG=1") }

  static func notify(_ text: String) {
    if isBelieved { _ = sd_notify(0, text) }
  }

  /// Whether the socket in `NOTIFY_SOCKET` is root's or this user's. What is sent there includes the descriptors of
  /// streams.
  static var isBelieved: Bool {
    var status = stat()
    return getenv("NOTIFY_SOCKET").map { lstat($0, &status) == 0 && [0, geteuid()].contains(status.st_uid) } ?? false
  }

  /// How long systemd waits for the next keep-alive before it considers the service hung; nil if there is no watchdog.
  package static var watchdogTime: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }
}
