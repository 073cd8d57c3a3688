// SPDX-License-Identifier: Apache-2.0

/// Measures how many bytes an app takes in the time of a round trip.
struct DeliveryGauge: Equatable, Sendable {
  /// The least time that bytes of a stream are taken to be on their way, however near the peer is, because the daemons
  /// and the apps take turns, too.
  private static let streamLeastRoundTrip = Duration.microseconds(500)

  private var start: ContinuousClock.Instant?
  // Checked now, start, taken, first: times of a clock, and counts that only grow.
  private var first: UInt64 = 0

  /// - Parameters:
  ///   - taken: How many bytes the app has taken so far. Never less than before.
  ///   - roundTrip: The time of a round trip. At least `streamLeastRoundTrip` is assumed.
  /// - Returns: The bytes in one round trip; nil if less time has passed since the last measurement.
  mutating func count(
    taken: UInt64,
    roundTrip: @autoclosure () -> Duration,
    at now: ContinuousClock.Instant
  ) -> UInt64? {
    guard let start else {
      (self.start, first) = (now, taken)
      return nil
    }
    guard now - start >= Self.streamLeastRoundTrip, taken >= first else { return nil }
    let roundTrip = max(roundTrip(), Self.streamLeastRoundTrip)
    guard now - start >= roundTrip else { return nil }
    defer { (self.start, first) = (now, taken) }
    // Checked: the product is at most the first factor.
    return UInt64(Double(taken - first) * (roundTrip / (now - start)))
  }
}
