import Activity

/// Which connections from the network are listened to before they have proved for which team they are.
///
/// Whoever comes gets in: where there are too many, the one that has been there for the longest gives way, so that those who
/// say nothing keep nobody out. Sources at which a peer was met have room of their own. Connections that come faster than
/// this machine wants to spend time on are refused at once.
package struct ConnectionLimiter<ID: Hashable, Source: Hashable> {
  package enum Decision: Equatable {
    /// Listen to it, and close the other one.
    case take(evicting: ID?)
    case refuse
  }

  private var strangers = Queue(limit: Limits.silentConnections, limitPerSource: Limits.silentConnectionsPerSource)
  private var met = Queue(limit: Limits.silentConnectionsOfPeers, limitPerSource: Limits.silentConnectionsOfPeers)
  private var handshakes = Queue(limit: Limits.handshakes, limitPerSource: Limits.handshakesPerSource)
  private var returning = Queue(limit: Limits.returningHandshakes, limitPerSource: Limits.handshakesPerSource)
  private var rateOfStrangers: TokenBucket?
  private var rates = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)
  private var ratesOfPeers = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)

  package init() {}

  /// A connection came, and has said nothing yet.
  ///
  /// - Parameters:
  ///   - source: What counts as one; where a peer was met, its address and no other.
  ///   - wasMet: Whether a peer was met there.
  package mutating func arrived(
    _ id: ID,
    from source: Source,
    wasMet: Bool,
    at now: ContinuousClock.Instant
  ) -> Decision {
    guard !wasMet else {
      var bucket = ratesOfPeers[source] ?? TokenBucket(Limits.connectionsOfPeersRate, at: now)
      defer { ratesOfPeers[source] = bucket }
      return bucket.take(at: now) ? .take(evicting: met.add(id, source)) : .refuse
    }
    var bucket = rates[source] ?? TokenBucket(Limits.connectionsPerSourceRate, at: now)
    let isAllowed = bucket.take(at: now)
    rates[source] = bucket
    guard isAllowed else { return .refuse }
    var all = rateOfStrangers ?? TokenBucket(Limits.connectionsRate, at: now)
    let isAllowedInAll = all.take(at: now)
    rateOfStrangers = all
    return isAllowedInAll ? .take(evicting: strangers.add(id, source)) : .refuse
  }

  /// It has said for which team it is, by a name that only the team's devices know.
  ///
  /// - Parameter isReturning: Or every device that ever was one.
  /// - Returns: The connection that gives way.
  package mutating func greeted(_ id: ID, from source: Source, isReturning: Bool) -> ID? {
    left(id)
    return isReturning ? returning.add(id, source) : handshakes.add(id, source)
  }

  /// It has proved what it is, or is closed.
  package mutating func left(_ id: ID) {
    strangers.remove(id)
    met.remove(id)
    handshakes.remove(id)
    returning.remove(id)
  }

  /// Connections in the order in which they came.
  private struct Queue {
    private var connections: [(id: ID, source: Source)] = []
    private let limit: Int
    private let limitPerSource: Int

    init(limit: Int, limitPerSource: Int) {
      self.limit = limit
      self.limitPerSource = limitPerSource
    }

    /// - Returns: Which gives way: the oldest of a source that has its share, and where all have less, of the source that
    ///   has most.
    mutating func add(_ id: ID, _ source: Source) -> ID? {
      var victim: Int?
      if connections.count(where: { $0.source == source }) >= limitPerSource {
        victim = connections.firstIndex { $0.source == source }
      } else if connections.count >= limit {
        let counts = connections.reduce(into: [Source: Int]()) { $0[$1.source, default: 0] += 1 }
        let most = counts.values.max()
        victim = connections.firstIndex { counts[$0.source] == most }
      }
      let evicted = victim.map { connections.remove(at: $0).id }
      connections.append((id, source))
      return evicted
    }

    mutating func remove(_ id: ID) { connections.removeAll { $0.id == id } }
  }
}
