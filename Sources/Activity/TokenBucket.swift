/// What may be spent: it fills at an even rate up to so much, and each piece of work takes some of it.
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

  /// What sums of fractions may be wrong by.
  private static let rounding = 1e-6

  private let rate: Rate
  private var tokens: Double
  private var last: ContinuousClock.Instant

  /// A full one.
  package init(_ rate: Rate, at now: ContinuousClock.Instant) {
    self.rate = rate
    tokens = rate.burst
    last = now
  }

  /// Takes `cost` where there is as much.
  package mutating func take(_ cost: Double = 1, at now: ContinuousClock.Instant) -> Bool {
    fill(at: now)
    guard tokens >= cost - Self.rounding else { return false }
    tokens -= cost
    return true
  }

  /// Takes `cost` whatever there is: work that was done already. What is owed is paid before anything else is taken.
  package mutating func charge(_ cost: Double, at now: ContinuousClock.Instant) {
    fill(at: now)
    tokens -= cost
  }

  /// When there is at least `cost`.
  package func ready(for cost: Double = 1, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    var bucket = self
    bucket.fill(at: now)
    let missing = min(cost, rate.burst) - bucket.tokens
    return missing <= Self.rounding ? now : now + .seconds(missing / rate.perSecond)
  }

  package func isFull(at now: ContinuousClock.Instant) -> Bool { ready(for: rate.burst, at: now) <= now }

  private mutating func fill(at now: ContinuousClock.Instant) {
    // Clocks of tests may stand still; none goes back.
    guard now > last else { return }
    tokens = min(rate.burst, tokens + last.duration(to: now) / .seconds(1) * rate.perSecond)
    last = now
  }
}
