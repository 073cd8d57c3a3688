// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// When TCP should measure a long path as on a new connection.
///
/// BBR keeps the highest rate for ten round trips, so that of a few small messages counts as the path's. And every ten
/// seconds, it sends nearly nothing for 200 ms to find out how long a round trip takes without a queue. That is of no
/// use if nothing of this connection waits in the network. Where much is lost, it may also begin too slowly, and then
/// needs seconds for what it finds out in a few round trips at its beginning.
struct PathMeasurement {
  /// The time after which what TCP has measured is old if there was less to send.
  private static let fullTime = Duration.seconds(1)
  /// How often it measures again while there is no queue.
  private static let interval = Duration.seconds(8)
  /// In how many round trips it has found out how fast the path is.
  private static let roundTrips = 20

  /// When there was last more to send than the kernel takes.
  private var full: ContinuousClock.Instant?
  private var begun: ContinuousClock.Instant?

  /// Call it when there is more to send than the kernel takes.
  ///
  /// - Parameters:
  ///   - isLimited: Whether the rate is limited to what the path takes.
  ///   - isSlow: Whether far less arrives than the path has taken.
  /// - Returns: Whether TCP should measure again.
  mutating func isDueWhenFull(
    at now: ContinuousClock.Instant,
    isLimited: Bool,
    isSlow: Bool,
    roundTrip: @autoclosure () -> Duration
  ) -> Bool {
    let age = now - (begun ?? now)
    let isDue =
      isOld(at: now, roundTrip) || isLimited && age >= Self.interval
      || isSlow && age >= max(Self.fullTime, roundTrip() * Self.roundTrips)
    full = now
    if isDue || begun == nil || !isLimited { begun = now }
    return isDue
  }

  private func isOld(at now: ContinuousClock.Instant, _ roundTrip: () -> Duration) -> Bool {
    guard let full, now - full > Self.fullTime else { return false }
    let roundTrip = roundTrip()
    return roundTrip >= UnsentLimit.longRoundTrip && now - full > roundTrip * 10
  }

  /// Call it when something is sent.
  ///
  /// - Returns: Whether TCP should measure again.
  mutating func isDueWhenSending(at now: ContinuousClock.Instant, roundTrip: @autoclosure () -> Duration) -> Bool {
    guard let begun else {
      self.begun = now
      return false
    }
    guard now - begun >= Self.interval, full.map({ now - $0 > Self.fullTime }) ?? true else { return false }
    self.begun = now
    return roundTrip() >= UnsentLimit.longRoundTrip
  }
}
