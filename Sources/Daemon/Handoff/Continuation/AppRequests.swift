import Activity

/// How often each peer may make apps of this machine work: save for a fetch, or accept a stream.
struct AppRequests: Sendable {
  private var buckets: [PeerID: TokenBucket] = [:]

  /// Returns whether an app may be asked for the peer now. If so, this counts.
  mutating func take(for peer: PeerID, at now: ContinuousClock.Instant) -> Bool {
    if buckets[peer] == nil { buckets = buckets.filter { !$0.value.isFull(at: now) } }
    return buckets[peer, default: TokenBucket(Limits.appRequestRate, at: now)].take(at: now)
  }
}
