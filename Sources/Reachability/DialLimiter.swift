import Activity

/// Connections to devices that nobody has met: an advert may be recorded, and name any address.
package struct DialLimiter<Target: Hashable> {
  private var all: TokenBucket?
  private var targets = RecentTable<Target, TokenBucket>(limit: 2 * Limits.instances)

  package init() {}

  /// Whether one more may be made there.
  package mutating func take(to target: Target, at now: ContinuousClock.Instant) -> Bool {
    var one = targets[target] ?? TokenBucket(Limits.dialsPerTargetRate, at: now)
    var all = self.all ?? TokenBucket(Limits.dialsRate, at: now)
    // What is refused costs nothing.
    guard one.take(at: now), all.take(at: now) else { return false }
    targets[target] = one
    self.all = all
    return true
  }
}
