// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits that only ``ConnectionLimiter`` needs. It is generic, and a generic type has no stored constants.
package enum ConnectionLimits {
  /// The maximum number of connections, from one address (/32, or /64 of IPv6) at which no peer was met, that have not
  /// yet said which team they are for.
  package static let silentConnectionsPerSource = 16
  /// The maximum number of connections that have not yet said which team they are for, from all sources at which a peer
  /// was met.
  package static let silentConnectionsOfPeers = 64
  /// The rates of new connections: from one address; from all addresses at which no peer was met; and from all at which
  /// a peer was met and that exceed the first. Refusing a connection costs about 50 µs.
  package static let connectionsPerSourceRate = TokenBucket.Rate(perSecond: 100, burst: 200)
  package static let connectionsRate = TokenBucket.Rate(perSecond: 500, burst: 1000)
  package static let connectionsOfPeersRate = TokenBucket.Rate(perSecond: 2000, burst: 4000)
  /// The maximum number of sources whose connections are counted.
  fileprivate static let connectionSources = 4096
  /// The maximum number of connections on which no peer has proved membership yet, from all sources where a peer was
  /// met. When a network is back, all peers come at the same time, and none should give way after most of the work is
  /// done.
  package static let handshakesOfPeers = 128
  /// The maximum number of connections on which no peer has proved membership yet, from one address (/32, or /64 of
  /// IPv6).
  fileprivate static let handshakesPerSource = 4
  /// The maximum number of such connections of clients with a name that removed devices can make, too (under an earlier
  /// key, or a permanent one), and of clients that join.
  package static let outdatedHandshakes = 8
  package static let returningHandshakes = 8
  package static let joiningHandshakes = 8
  /// The rate of new handshakes, at about 0.7 ms each, from all addresses at which no peer was met. If a team of 64
  /// that was never met connects at the same time, 48 get in within 34 ms. The others get in when they try again, after
  /// 0.5 to 1 s (``Limits.dialBackoff``). Devices that were met before a restart do not count, if they have their
  /// addresses.
  package static let handshakesRate = TokenBucket.Rate(perSecond: 50, burst: 48)
  /// The same for names that removed devices can make, and for joins.
  fileprivate static let outdatedHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  fileprivate static let returningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  fileprivate static let joiningHandshakesRate = TokenBucket.Rate(perSecond: 5, burst: 20)
  /// The same from one of these addresses: half of a burst. A team of 64 behind one address is in within 4 s.
  package static let handshakesPerSourceRate = TokenBucket.Rate(perSecond: 20, burst: 24)
  /// The rate from one address at which a peer was met. None of the rates above applies to it, because several members
  /// may share the address.
  package static let handshakesOfPeersRate = TokenBucket.Rate(perSecond: 20, burst: 200)
  /// The rate from one address for each kind of name that removed devices can make, and for joins: half of a burst, and
  /// then a fifth. A machine that joins does not ask more often (``DialLimits.dialsPerTargetRate``).
  package static let rareHandshakesPerSourceRate = TokenBucket.Rate(perSecond: 1, burst: 10)
  /// What a refused connection costs its source in addition to 1. From then on, the source may make 10 a second.
  fileprivate static let refusedConnectionCost = 9.0
}

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
  private var met = Queue(
    limit: ConnectionLimits.silentConnectionsOfPeers,
    limitPerSource: ConnectionLimits.silentConnectionsOfPeers
  )
  /// Those of members from sources where a peer was met.
  private var handshakesOfPeers = Queue(
    limit: ConnectionLimits.handshakesOfPeers,
    limitPerSource: ConnectionLimits.handshakesPerSource
  )
  private var handshakes: [ClientClaim: Queue] = [
    .member: Queue(limit: Limits.handshakes, limitPerSource: ConnectionLimits.handshakesPerSource),
    .outdated: Queue(limit: ConnectionLimits.outdatedHandshakes, limitPerSource: ConnectionLimits.handshakesPerSource),
    .returning: Queue(
      limit: ConnectionLimits.returningHandshakes,
      limitPerSource: ConnectionLimits.handshakesPerSource
    ),
    .joining: Queue(limit: ConnectionLimits.joiningHandshakes, limitPerSource: ConnectionLimits.handshakesPerSource),
  ]
  private var rateOfStrangers: TokenBucket
  private var rates = RecentTable<Source, TokenBucket>(limit: ConnectionLimits.connectionSources)
  private var rateOfPeers: TokenBucket
  private var seldomPeers = RecentTable<Source, TokenBucket>(limit: ConnectionLimits.connectionSources)
  private var handshakesOfStrangers: [ClientClaim: TokenBucket]
  private var handshakesOfSources = RecentTable<Origin, TokenBucket>(limit: ConnectionLimits.connectionSources)

  /// - Parameter descriptors: The number that this process can have. Strangers take at most a quarter of them.
  package init(at now: ContinuousClock.Instant, descriptors: Int = .max) {
    let limit = max(1, min(Limits.silentConnections, descriptors / 4))
    strangers = Queue(limit: limit, limitPerSource: min(limit, ConnectionLimits.silentConnectionsPerSource))
    rateOfStrangers = TokenBucket(ConnectionLimits.connectionsRate, at: now)
    rateOfPeers = TokenBucket(ConnectionLimits.connectionsOfPeersRate, at: now)
    handshakesOfStrangers = [
      .member: TokenBucket(ConnectionLimits.handshakesRate, at: now),
      .outdated: TokenBucket(ConnectionLimits.outdatedHandshakesRate, at: now),
      .returning: TokenBucket(ConnectionLimits.returningHandshakesRate, at: now),
      .joining: TokenBucket(ConnectionLimits.joiningHandshakesRate, at: now),
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
      let isSeldom = seldomPeers.take(source, ConnectionLimits.connectionsPerSourceRate, at: now)
      return isSeldom || rateOfPeers.take(at: now) ? .take(evicting: met.add(id, source)) : .refuse
    }
    guard rates.take(source, ConnectionLimits.connectionsPerSourceRate, at: now), rateOfStrangers.take(at: now) else {
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
    var bucket = rates[source] ?? TokenBucket(ConnectionLimits.connectionsPerSourceRate, at: now)
    bucket.charge(ConnectionLimits.refusedConnectionCost, at: now)
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
      case .member: wasMet ? ConnectionLimits.handshakesOfPeersRate : ConnectionLimits.handshakesPerSourceRate
      case .outdated, .returning, .joining: ConnectionLimits.rareHandshakesPerSourceRate
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
