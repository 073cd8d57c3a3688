// SPDX-License-Identifier: Apache-2.0

import Activity

/// How often each peer may make apps of this machine work: save for a fetch, or accept a stream.
struct AppRequests: Sendable {
  /// The rate at which one peer can make apps work: save for a fetch, or accept a stream. A peer can open at once as
  /// many streams as it may have.
  static let appRequestRate = TokenBucket.Rate(perSecond: 20, burst: 300)

  private var buckets: [PeerID: TokenBucket] = [:]

  /// Returns whether an app may be asked for the peer now. If so, this counts.
  mutating func take(for peer: PeerID, at now: ContinuousClock.Instant) -> Bool {
    if buckets[peer] == nil { buckets = buckets.filter { !$0.value.isFull(at: now) } }
    return buckets[peer, default: TokenBucket(Self.appRequestRate, at: now)].take(at: now)
  }
}
