// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits that only ``DialLimiter`` needs. It is generic, and a generic type has no stored constants.
package enum DialLimits {
  /// The rates of connections to devices that nobody has met: to one address, and to all.
  package static let dialsPerTargetRate = TokenBucket.Rate(perSecond: 1, burst: 3)
  package static let dialsRate = TokenBucket.Rate(perSecond: 20, burst: 40)
}

/// Limits connections to devices that nobody has met, because an advert may be a recording, and may name any address.
package struct DialLimiter<Target: Hashable> {
  private var all: TokenBucket?
  private var targets = RecentTable<Target, TokenBucket>(limit: Limits.rememberedConducts)

  package init() {}

  /// Whether another connection to the target is allowed. If so, it counts.
  package mutating func take(to target: Target, at now: ContinuousClock.Instant) -> Bool {
    var one = targets[target] ?? TokenBucket(DialLimits.dialsPerTargetRate, at: now)
    var all = self.all ?? TokenBucket(DialLimits.dialsRate, at: now)
    // A refusal costs nothing.
    guard one.take(at: now), all.take(at: now) else { return false }
    targets[target] = one
    self.all = all
    return true
  }
}
