import Activity

/// How often connections are made, to each target and in all: an advert may be recorded, and name any address.
package struct DialLimiter<Target: Hashable> {
  private let rate: TokenBucket.Rate
  private let rateOfAll: TokenBucket.Rate
  private var all: TokenBucket?
  private var targets = RecentTable<Target, TokenBucket>(limit: 2 * Limits.instances)

  /// - Parameters:
  ///   - rate: To one target.
  ///   - rateOfAll: To all.
  package init(
    _ rate: TokenBucket.Rate = Limits.dialsPerTargetRate,
    ofAll rateOfAll: TokenBucket.Rate = Limits.dialsRate
  ) {
    self.rate = rate
    self.rateOfAll = rateOfAll
  }

  /// Whether one more may be made there.
  package mutating func take(to target: Target, at now: ContinuousClock.Instant) -> Bool {
    var one = targets[target] ?? TokenBucket(rate, at: now)
    var all = self.all ?? TokenBucket(rateOfAll, at: now)
    // What is refused costs nothing.
    guard one.take(at: now), all.take(at: now) else { return false }
    targets[target] = one
    self.all = all
    return true
  }
}
