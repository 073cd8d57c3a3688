// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Localization

/// Summarizes the daemon's counters.
enum CounterText {
  /// What was exchanged since the daemon started; nil if nothing was.
  static func traffic(_ counters: Counters) -> String? {
    func part(_ cause: Counters.Total, _ text: (UInt64) -> String) -> String? {
      counters[cause] > 0 ? text(counters[cause]) : nil
    }
    var parts = [
      part(.sessionsBegun) { localized(Int(clamping: $0), one: "\($0) session", other: "\($0) sessions") },
      part(.activitiesHandedOver) { localized("\($0) handed off") },
      part(.activitiesContinued) { localized("\($0) continued here") },
      part(.streamsBegun) {
        localized(Int(clamping: $0), one: "\($0) live connection", other: "\($0) live connections")
      },
      part(.streamsResumed) { localized("\($0) resumed") },
    ].compactMap(\.self)
    let (sent, received) = (counters[.streamBytesSent], counters[.streamBytesReceived])
    if sent > 0 || received > 0 { parts.append(localized("\(size(sent)) out, \(size(received)) in")) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// What failed or was refused, by reason, the most frequent first; nil if nothing did.
  static func failures(_ counters: Counters) -> String? {
    let causes: [Counters.Cause] = [
      .connectionsRefused, .dialsFailed, .handOversRefused, .continuationsFailed, .streamsBroken,
    ]
    let sums = causes.reduce(into: [Reason: UInt64]()) { sums, cause in
      sums.merge(counters[cause]) { $0 &+ $1 }
    }
    guard !sums.isEmpty else { return nil }
    return sums.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
  }

  /// `17 bytes`, `1.5 MB`.
  static func size(_ bytes: UInt64) -> String {
    let units: [(Double, String)] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    guard let (unit, name) = units.first(where: { Double(bytes) >= $0.0 }) else { return localized("\(bytes) bytes") }
    return "\((Double(bytes) / unit * 10).rounded(.down) / 10) \(name)"
  }
}
