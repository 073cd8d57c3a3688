import Activity

/// When a changed advert may go out: the first change at once, later ones `Limits.advertInterval` apart, and no more
/// than `Limits.advertBurst` in a row before the pace is one in `Limits.advertRefill` (RFC 6762 sections 6 and 8.4).
///
/// It holds no advert: what is published when it says so is the newest state, so the last change always gets out.
package struct AdvertPacer: Sendable {
  package enum Decision: Equatable, Sendable {
    /// Publish the newest state now.
    case publish
    /// Not yet: call ``AdvertPacer/due(at:)`` at this instant.
    case wake(at: ContinuousClock.Instant)
  }

  private var isWaiting = false
  private var lastPublished: ContinuousClock.Instant?
  /// When the bucket is full again. Each publication moves it by one refill.
  private var full: ContinuousClock.Instant?

  package init() {}

  /// The state to advertise is another.
  package mutating func changed(at now: ContinuousClock.Instant) -> Decision {
    isWaiting = true
    return decide(at: now)
  }

  /// The instant of a ``Decision/wake(at:)`` has come.
  ///
  /// - Returns: Nil where nothing waits.
  package mutating func due(at now: ContinuousClock.Instant) -> Decision? { isWaiting ? decide(at: now) : nil }

  private mutating func decide(at now: ContinuousClock.Instant) -> Decision {
    let earliest = earliest(now)
    guard earliest <= now else { return .wake(at: earliest) }
    isWaiting = false
    lastPublished = now
    full = max(full ?? now, now) + Limits.advertRefill
    return .publish
  }

  /// After the interval since the last one, and when the bucket holds one again.
  private func earliest(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let interval = lastPublished.map { $0 + Limits.advertInterval } ?? now
    let refill = full.map { $0 - Limits.advertRefill * (Limits.advertBurst - 1) } ?? now
    return max(interval, refill)
  }
}
