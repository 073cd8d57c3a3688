// SPDX-License-Identifier: Apache-2.0

/// A bucket of tokens. It fills at a constant rate up to its capacity, and each piece of work takes some of its tokens.
package struct TokenBucket: Equatable, Sendable {
  /// How fast a bucket fills, and how much it holds.
  package struct Rate: Equatable, Sendable {
    package let perSecond: Double
    package let burst: Double

    package init(perSecond: Double, burst: Double) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  /// The tolerance for rounding errors in sums of fractions.
  private static let rounding = 1e-6

  private let rate: Rate
  private var tokens: Double
  private var last: ContinuousClock.Instant

  /// Creates a full bucket.
  package init(_ rate: Rate, at now: ContinuousClock.Instant) {
    self.rate = rate
    tokens = rate.burst
    last = now
  }

  /// Takes `cost` if the bucket holds as much. Returns whether it did.
  package mutating func take(_ cost: Double = 1, at now: ContinuousClock.Instant) -> Bool {
    fill(at: now)
    guard tokens >= cost - Self.rounding else { return false }
    tokens -= cost
    return true
  }

  /// Takes `cost` even if the bucket holds less, for work that was done already. The debt is paid before anything else
  /// is taken.
  package mutating func charge(_ cost: Double, at now: ContinuousClock.Instant) {
    fill(at: now)
    tokens -= cost
  }

  /// Returns the time at which the bucket holds at least `cost`.
  package func ready(for cost: Double = 1, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    var bucket = self
    bucket.fill(at: now)
    let missing = min(cost, rate.burst) - bucket.tokens
    return missing <= Self.rounding ? now : now + .seconds(missing / rate.perSecond)
  }

  package func isFull(at now: ContinuousClock.Instant) -> Bool { ready(for: rate.burst, at: now) <= now }

  private mutating func fill(at now: ContinuousClock.Instant) {
    // Clocks of tests may stand still, but none goes back.
    guard now > last else { return }
    tokens = min(rate.burst, tokens + last.duration(to: now) / .seconds(1) * rate.perSecond)
    last = now
  }
}
