// SPDX-License-Identifier: Apache-2.0

/// How fast a transfer is: an average over the last seconds.
package struct TransferSpeed: Sendable {
  private var last: (instant: ContinuousClock.Instant, received: Int)?
  /// When something last arrived.
  private var lastArrival: ContinuousClock.Instant?
  /// In bytes per second. Nil if it is not known.
  package private(set) var value: Double?
  /// Whether nothing has arrived for a while. An average would still be some bytes per second.
  package private(set) var isStalled = false

  private static let averagedTime = 3.0
  /// Longer than a disk takes to write what it has.
  private static let stallTime = Duration.seconds(5)

  package init() {}

  /// - Parameter received: The number of bytes that are there.
  package mutating func measure(_ received: Int, at now: ContinuousClock.Instant) {
    defer { last = (now, received) }
    guard let last, received >= last.received else { return }
    let time = (now - last.instant) / .seconds(1)
    guard time > 0 else { return }
    if received > last.received || lastArrival == nil { lastArrival = now }
    isStalled = lastArrival.map { now - $0 >= Self.stallTime } ?? false
    guard !isStalled else { return value = nil }
    let current = Double(received - last.received) / time
    let weight = min(1, time / Self.averagedTime)
    value = value.map { $0 * (1 - weight) + current * weight } ?? current
  }

  /// Returns how long the rest takes, in seconds. Nil if that is not known, or takes days.
  package func timeLeft(_ rest: Int) -> Int? {
    guard let value, value >= 1 else { return nil }
    let seconds = Double(max(0, rest)) / value
    return seconds < Self.longestTime ? Int(seconds.rounded(.up)) : nil
  }

  private static let longestTime = 360_000.0
}
