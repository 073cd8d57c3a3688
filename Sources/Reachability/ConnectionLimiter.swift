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

  private var strangers: Queue
  private var met = Queue(limit: Limits.silentConnectionsOfPeers, limitPerSource: Limits.silentConnectionsOfPeers)
  private var handshakes: [ClientClaim: Queue] = [
    .member: Queue(limit: Limits.handshakes, limitPerSource: Limits.handshakesPerSource),
    .outdated: Queue(limit: Limits.outdatedHandshakes, limitPerSource: Limits.handshakesPerSource),
    .returning: Queue(limit: Limits.returningHandshakes, limitPerSource: Limits.handshakesPerSource),
    .joining: Queue(limit: Limits.joiningHandshakes, limitPerSource: Limits.handshakesPerSource),
  ]
  private var rateOfStrangers: TokenBucket
  private var rates = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)
  private var ratesOfPeers = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)
  private var handshakesOfStrangers: [ClientClaim: TokenBucket]
  private var handshakesOfSources = RecentTable<Origin, TokenBucket>(limit: Limits.connectionSources)

  /// - Parameter descriptors: How many this process may have: strangers take a quarter of them at most.
  package init(at now: ContinuousClock.Instant, descriptors: Int = .max) {
    let limit = max(1, min(Limits.silentConnections, descriptors / 4))
    strangers = Queue(limit: limit, limitPerSource: min(limit, Limits.silentConnectionsPerSource))
    rateOfStrangers = TokenBucket(Limits.connectionsRate, at: now)
    handshakesOfStrangers = [
      .member: TokenBucket(Limits.handshakesRate, at: now),
      .outdated: TokenBucket(Limits.outdatedHandshakesRate, at: now),
      .returning: TokenBucket(Limits.returningHandshakesRate, at: now),
      .joining: TokenBucket(Limits.joiningHandshakesRate, at: now),
    ]
  }

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
      let isAllowed = ratesOfPeers.take(source, Limits.connectionsOfPeersRate, at: now)
      return isAllowed ? .take(evicting: met.add(id, source)) : .refuse
    }
    guard rates.take(source, Limits.connectionsPerSourceRate, at: now), rateOfStrangers.take(at: now) else {
      return .refuse
    }
    return .take(evicting: strangers.add(id, source))
  }

  /// It has said for which team it is, by a name that not everybody knows, and a handshake is to begin.
  ///
  /// - Parameters: As ``arrived(_:from:wasMet:at:)``.
  package mutating func greeted(
    _ id: ID,
    from source: Source,
    wasMet: Bool,
    as client: ClientClaim,
    at now: ContinuousClock.Instant
  ) -> Decision {
    left(id)
    let origin = Origin(source: source, wasMet: wasMet, claim: client)
    var ofSource = handshakesOfSources[origin] ?? TokenBucket(origin.rate, at: now)
    var ofStrangers = handshakesOfStrangers
    // What is refused takes nothing: neither from its source nor from those who say the same.
    guard ofSource.take(at: now), wasMet || ofStrangers[client]?.take(at: now) ?? true else { return .refuse }
    (handshakesOfSources[origin], handshakesOfStrangers) = (ofSource, ofStrangers)
    return .take(evicting: handshakes[client]?.add(id, source))
  }

  /// A connection from a source at which no peer was met was of no use: the next ones have to wait for longer.
  package mutating func failed(from source: Source, at now: ContinuousClock.Instant) {
    var bucket = rates[source] ?? TokenBucket(Limits.connectionsPerSourceRate, at: now)
    bucket.charge(Limits.refusedConnectionCost, at: now)
    rates[source] = bucket
  }

  /// It has proved what it is, or is closed.
  package mutating func left(_ id: ID) {
    strangers.remove(id)
    met.remove(id)
    for client in ClientClaim.allCases { handshakes[client]?.remove(id) }
  }

  /// Where handshakes come from, and as what.
  private struct Origin: Hashable {
    let source: Source
    let wasMet: Bool
    let claim: ClientClaim

    var rate: TokenBucket.Rate {
      switch claim {
      case .member: wasMet ? Limits.handshakesOfPeersRate : Limits.handshakesPerSourceRate
      case .outdated, .returning, .joining: Limits.rareHandshakesPerSourceRate
      }
    }
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

extension RecentTable where Value == TokenBucket {
  /// Takes one from the bucket of a key, which is full where the key is new.
  fileprivate mutating func take(_ key: Key, _ rate: TokenBucket.Rate, at now: ContinuousClock.Instant) -> Bool {
    var bucket = self[key] ?? TokenBucket(rate, at: now)
    defer { self[key] = bucket }
    return bucket.take(at: now)
  }
}
