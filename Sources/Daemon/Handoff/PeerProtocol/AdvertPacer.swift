// SPDX-License-Identifier: Apache-2.0

/// Decides when a changed advert may go out. The first change goes out immediately, and later ones
/// `advertInterval` apart. After `advertBurst` in a row, the pace is one per `advertRefill` (RFC
/// 6762 sections 6 and 8.4).
///
/// It holds no advert. Whatever is published when it says so is the newest state, so the last change always gets out.
package struct AdvertPacer: Sendable {
  /// The minimum time between two TXT updates (RFC 6762 section 6).
  package static let advertInterval = Duration.seconds(1)
  /// The maximum number of TXT updates that may follow one another at `advertInterval`. After that, there may be one
  /// every `advertRefill`.
  package static let advertBurst = 10
  /// The time after which one more TXT update is allowed: ten per minute (RFC 6762 section 8.4).
  package static let advertRefill = Duration.seconds(6)

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
    full = max(full ?? now, now) + Self.advertRefill
    return .publish
  }

  /// Returns when the interval since the last publication is over and the bucket has room for another.
  private func earliest(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let interval = lastPublished.map { $0 + Self.advertInterval } ?? now
    let refill = full.map { $0 - Self.advertRefill * (Self.advertBurst - 1) } ?? now
    return max(interval, refill)
  }
}
