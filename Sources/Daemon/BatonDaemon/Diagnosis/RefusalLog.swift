// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Systemd

/// Counts refusals and logs few of them, because a stranger must not be able to fill the journal.
@Loop
final class RefusalLog {
  private struct Entry {
    var suppressed = 0
    var logged = 0
    /// Of those that doctor tells.
    var last: ContinuousClock.Instant?
    var next: ContinuousClock.Instant
  }

  /// How many lines of one reason are logged before they become one per minute.
  private static let burst = 4
  private static let interval = Duration.seconds(60)

  private let log: Log
  private let counters: Tally
  private var entries: [Reason: Entry] = [:]
  /// Where members of a team called from that speak no version of ours.
  var otherVersions = RecentAddresses()

  init(_ log: Log, _ counters: Tally) {
    self.log = log
    self.counters = counters
  }

  /// Why connections were refused lately, and how long ago that was, in seconds.
  var recent: [Reason: Double] {
    entries.compactMapValues { $0.last.map { $0.duration(to: Loop.now) / .seconds(1) } }
      .filter { $0.value < Limits.recentRefusalTime }
  }

  /// - Parameters:
  ///   - isCounted: False if this side dialled, which is counted elsewhere.
  ///   - isTold: False for what a stranger can pretend, which the log alone says.
  func refused(_ reason: Reason, _ address: SocketAddress?, isCounted: Bool = true, isTold: Bool = true) {
    if isCounted { counters.count(.connectionsRefused, reason, for: .everybody) }
    let now = Loop.now
    var entry = entries[reason] ?? Entry(next: now)
    if isTold { entry.last = now }
    defer { entries[reason] = entry }
    guard entry.logged < Self.burst || now >= entry.next else {
      entry.suppressed += 1
      return
    }
    log.info(
      "Refused a connection",
      ["reason": reason.rawValue, "address": address?.description ?? "unknown", "suppressed": "\(entry.suppressed)"]
    )
    entry.logged += 1
    entry.suppressed = 0
    entry.next = now + Self.interval
  }
}
