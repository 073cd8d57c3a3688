import Activity

/// Decides when a changed advert may go out. The first change goes out immediately, and later ones
/// `Limits.advertInterval` apart. After `Limits.advertBurst` in a row, the pace is one per `Limits.advertRefill` (RFC
/// 6762 sections 6 and 8.4).
///
/// It holds no advert. Whatever is published when it says so is the newest state, so the last change always gets out.
package struct AdvertPacer: Sendable {
  package enum Decision: Equatable, Sendable {
    /// Publish the newest state now.
    case publish
    /// Do not publish yet. Call ``AdvertPacer/due(at:)`` at this instant.
    case wake(at: ContinuousClock.Instant)
  }

  private var isWaiting = false
  private var lastPublished: ContinuousClock.Instant?
  /// When the bucket is full again. Each publication moves it by one refill.
  private var full: ContinuousClock.Instant?

  package init() {}

  /// Notes that the state to advertise has changed.
  package mutating func changed(at now: ContinuousClock.Instant) -> Decision {
    isWaiting = true
    return decide(at: now)
  }

  /// Decides again, when the instant of a ``Decision/wake(at:)`` has come.
  ///
  /// - Returns: Nil if nothing is waiting.
  package mutating func due(at now: ContinuousClock.Instant) -> Decision? { isWaiting ? decide(at: now) : nil }

  private mutating func decide(at now: ContinuousClock.Instant) -> Decision {
    let earliest = earliest(now)
    guard earliest <= now else { return .wake(at: earliest) }
    isWaiting = false
    lastPublished = now
    full = max(full ?? now, now) + Limits.advertRefill
    return .publish
  }

  /// Returns when the interval since the last publication is over and the bucket has room for another.
  private func earliest(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let interval = lastPublished.map { $0 + Limits.advertInterval } ?? now
    let refill = full.map { $0 - Limits.advertRefill * (Limits.advertBurst - 1) } ?? now
    return max(interval, refill)
  }
}
