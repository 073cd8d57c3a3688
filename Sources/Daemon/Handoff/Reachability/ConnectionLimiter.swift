import Activity

/// Decides which connections from the network to serve before they have proved which team they belong to.
///
/// A new connection gets in. If there are too many, an older one gives way, so that silent ones keep nobody out.
/// Sources where a peer was met have their own room. Connections that arrive faster than this machine wants to spend
/// time on are refused immediately.
package struct ConnectionLimiter<ID: Hashable, Source: Hashable> {
  package enum Decision: Equatable {
    /// Listen to it, and close the other one.
    case take(evicting: ID?)
    case refuse
  }

  private var strangers: Queue
  private var met = Queue(limit: Limits.silentConnectionsOfPeers, limitPerSource: Limits.silentConnectionsOfPeers)
  /// Those of members from sources where a peer was met.
  private var handshakesOfPeers = Queue(limit: Limits.handshakesOfPeers, limitPerSource: Limits.handshakesPerSource)
  private var handshakes: [ClientClaim: Queue] = [
    .member: Queue(limit: Limits.handshakes, limitPerSource: Limits.handshakesPerSource),
    .outdated: Queue(limit: Limits.outdatedHandshakes, limitPerSource: Limits.handshakesPerSource),
    .returning: Queue(limit: Limits.returningHandshakes, limitPerSource: Limits.handshakesPerSource),
    .joining: Queue(limit: Limits.joiningHandshakes, limitPerSource: Limits.handshakesPerSource),
  ]
  private var rateOfStrangers: TokenBucket
  private var rates = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)
  private var rateOfPeers: TokenBucket
  private var seldomPeers = RecentTable<Source, TokenBucket>(limit: Limits.connectionSources)
  private var handshakesOfStrangers: [ClientClaim: TokenBucket]
  private var handshakesOfSources = RecentTable<Origin, TokenBucket>(limit: Limits.connectionSources)

  /// - Parameter descriptors: The number that this process can have. Strangers take at most a quarter of them.
  package init(at now: ContinuousClock.Instant, descriptors: Int = .max) {
    let limit = max(1, min(Limits.silentConnections, descriptors / 4))
    strangers = Queue(limit: limit, limitPerSource: min(limit, Limits.silentConnectionsPerSource))
    rateOfStrangers = TokenBucket(Limits.connectionsRate, at: now)
    rateOfPeers = TokenBucket(Limits.connectionsOfPeersRate, at: now)
    handshakesOfStrangers = [
      .member: TokenBucket(Limits.handshakesRate, at: now),
      .outdated: TokenBucket(Limits.outdatedHandshakesRate, at: now),
      .returning: TokenBucket(Limits.returningHandshakesRate, at: now),
      .joining: TokenBucket(Limits.joiningHandshakesRate, at: now),
    ]
  }

  /// Decides about a new connection, which has said nothing yet.
  ///
  /// - Parameters:
  ///   - source: What counts as one source. If a peer was met there, it is the exact address.
  ///   - wasMet: Whether a peer was met there.
  package mutating func arrived(
    _ id: ID,
    from source: Source,
    wasMet: Bool,
    at now: ContinuousClock.Instant
  ) -> Decision {
    guard !wasMet else {
      // Those that come seldom get in although others come often.
      let isSeldom = seldomPeers.take(source, Limits.connectionsPerSourceRate, at: now)
      return isSeldom || rateOfPeers.take(at: now) ? .take(evicting: met.add(id, source)) : .refuse
    }
    guard rates.take(source, Limits.connectionsPerSourceRate, at: now), rateOfStrangers.take(at: now) else {
      return .refuse
    }
    return .take(evicting: strangers.add(id, source))
  }

  /// Decides about a connection that has named its team with a name that not everybody knows, before a handshake
  /// begins.
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
    // A refusal takes nothing, neither from its source nor from others with the same claim.
    guard ofSource.take(at: now), wasMet || ofStrangers[client]?.take(at: now) ?? true else { return .refuse }
    (handshakesOfSources[origin], handshakesOfStrangers) = (ofSource, ofStrangers)
    if wasMet, client == .member { return .take(evicting: handshakesOfPeers.add(id, source)) }
    return .take(evicting: handshakes[client]?.add(id, source))
  }

  /// Charges a source where no peer was met for a useless connection. Its next ones must wait longer.
  package mutating func failed(from source: Source, at now: ContinuousClock.Instant) {
    var bucket = rates[source] ?? TokenBucket(Limits.connectionsPerSourceRate, at: now)
    bucket.charge(Limits.refusedConnectionCost, at: now)
    rates[source] = bucket
  }

  /// Removes a connection that has proved what it is, or was closed.
  package mutating func left(_ id: ID) {
    strangers.remove(id)
    met.remove(id)
    handshakesOfPeers.remove(id)
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

    /// - Returns: The connection that gives way; nil if there is room. If the source has used up its share, it is the
    ///   oldest of this source. Otherwise, it is the oldest of the source that has the most.
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
  /// Takes one token from the bucket of a key. The bucket of a new key is full.
  fileprivate mutating func take(_ key: Key, _ rate: TokenBucket.Rate, at now: ContinuousClock.Instant) -> Bool {
    var bucket = self[key] ?? TokenBucket(rate, at: now)
    defer { self[key] = bucket }
    return bucket.take(at: now)
  }
}
