// SPDX-License-Identifier: Apache-2.0

import Activity

/// How often each machine can make this one do something: a number of times in a row, and then once in an interval.
struct MachineTurns: Sendable {
  /// How many new offers and attempts of one machine are taken in a row, and the interval in seconds at which it has
  /// one more. A transfer takes two.
  private static let transferTurns = 64.0
  static let transferTurnInterval = 0.5

  /// When each machine has all its turns again, in seconds since 1970-01-01 00:00:00 UTC. Those that have are missing.
  private var full: [DeviceID: Double] = [:]
  /// The machines that had none left.
  private var waiting: Set<DeviceID> = []

  /// When one of those that had to wait has a turn; in the past if it has all of them again. Nil if none waits.
  var next: Double? { waiting.lazy.map { full[$0].map(Self.next) ?? 0 }.min() }

  /// - Returns: Whether the machine had a turn.
  mutating func take(_ device: DeviceID, at date: Double) -> Bool {
    // If the clock was set back, all have theirs.
    full = full.filter { (date...date + Self.transferTurnInterval * Self.transferTurns).contains($0.value) }
    let end = full[device] ?? date
    guard Self.next(end) <= date else {
      waiting.insert(device)
      return false
    }
    full[device] = end + Self.transferTurnInterval
    return true
  }

  /// - Returns: Whether a machine had to wait.
  mutating func retry() -> Bool {
    defer { waiting = [] }
    return !waiting.isEmpty
  }

  /// When there is a turn; in the past if there is one.
  private static func next(_ full: Double) -> Double { full - transferTurnInterval * (transferTurns - 1) }
}
