// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits that only files of ``ReachabilityCore`` need. It is generic, and a generic type has no stored constants.
package enum ReachabilityLimits {
  /// The time over which attempts are spread that one event caused for many peers.
  package static let redialJitter = Duration.milliseconds(100)
}

/// Decides how to reach the other devices: which instances to resolve, which addresses to dial, when to try again, and
/// when to forget a peer. It holds no connections. The shell carries out its effects.
///
/// It never looks into an address, and only compares addresses.
package struct ReachabilityCore<Address: Hashable & Sendable>: Sendable {
  package enum Event: Equatable, Sendable {
    /// The teams that this machine is in, with its Device ID in each. Anything known about peers of other teams is
    /// dropped.
    case teamsChanged([TeamID: DeviceID])

    // Discovery.
    /// An instance's advert says that it belongs to the peer. This is doubtful if removed devices could say so, too.
    case seen(instance: String, of: PeerID, isDoubtful: Bool = false)
    case lost(instance: String)
    /// The answer to ``Effect/resolve(instance:)``. It has no addresses if there are none.
    case resolved(instance: String, [Address])

    // Servers where the team meets.
    /// Whether the peer and this machine are there, and a relay is known where they can meet.
    case canMeet(PeerID, Bool)
    /// What ``Effect/meet(_:)`` began has led to no connection.
    case meetingFailed(PeerID, Reason)

    // What is known without discovery.
    /// The addresses where the peer was reached before, the newest first. They replace the previous ones.
    case remembered(PeerID, [Address])
    /// The addresses where the peer itself says, in a session, that it listens. They replace the previous ones. A
    /// server that passes on what peers say to it is another source of them. They prove nothing: a peer that has only
    /// these was not met.
    case said(PeerID, [Address])
    /// All addresses that users gave, or that others know of, such as tailscaled. They replace the previous ones.
    case named(Set<StaticPeer>)

    // Connections.
    /// None of the addresses in ``Effect/dial(_:_:)`` leads to the peer; `limitReached` if this machine dialled none,
    /// because of its own limit.
    case dialFailed(PeerID, Reason)
    /// A connection with the peer is established, and becomes a session if both sides accept.
    case opened(PeerID, isDialler: Bool)
    /// Such a connection has ended, or is not needed.
    case openingEnded(PeerID, Reason, isDialler: Bool)
    /// Such a connection has become the session with the peer, possibly in place of another.
    /// - Parameters:
    ///   - address: The address that this side dialled; nil if the peer dialled, or both met at a relay.
    ///   - isRelayed: Whether both met at a relay. A direct connection is looked for all the same.
    case ready(PeerID, address: Address?, isDialler: Bool, isRelayed: Bool = false)
    /// The peer, which dialled, says that it listens at this address.
    case told(PeerID, Address)
    /// The session with the peer has ended.
    case ended(PeerID, Reason)
    /// An address that a user gave has answered: the peer, or nil for this machine itself.
    case reachedNamed(StaticPeer, PeerID?)
    case failedNamed(StaticPeer, Reason)

    // Signs that it is worth trying now.
    /// A user waits for a session with the peer.
    case wanted(PeerID)
    /// This machine's addresses, links or routes have changed.
    case networkChanged
    /// The machine was asleep, or its clock jumped.
    case resumed

    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Ask discovery for the addresses of an instance.
    case resolve(instance: String)
    /// Dial these addresses, in addition to those being dialled already. The first of all that answers is kept.
    case dial(PeerID, [Address])
    /// Dial each address that is being dialled and has not answered once more, because what was sent there may be lost.
    /// The first connection of all is kept.
    case dialAgain(PeerID)
    /// Ask the peer, through a server, to dial this machine.
    case askToDial(PeerID)
    /// Meet the peer at a relay, while addresses are being dialled, or after that.
    case meet(PeerID)
    /// Stop dialling and meeting the peer. The result no longer matters.
    case stopDialling(PeerID)
    case dialNamed(StaticPeer)
    /// As ``dialAgain(_:)``.
    case dialNamedAgain(StaticPeer)
    case stopDiallingNamed(StaticPeer)
    /// Ask the peer for a sign of life, and wait for it only for a short time.
    case probe(PeerID)
    /// Remember an address: as the first if the peer was reached there, as the last if it only might be there.
    case remember(PeerID, Address, isFirst: Bool)
    /// An attempt to reach the peer ended without a session.
    case connectFailed(PeerID, Reason)
    /// There is neither a session with the peer nor a sign of it.
    case forgotten(PeerID)
    /// Nothing about the peer is kept here from now on.
    case dropped(PeerID)
    /// The instance is no longer among a peer's, though discovery may still see it.
    case released(instance: String)
    /// What people see of some peer has changed.
    case changed

    /// Send `.wake` at this instant, which replaces any earlier one. Nil means not to send it.
    case wake(at: ContinuousClock.Instant?)
  }

  package internal(set) var peers = PeerRows()
  package internal(set) var named: [StaticPeer: Named] = [:]
  /// This machine's Device ID in each of its teams.
  var own: [TeamID: DeviceID] = [:]
  /// The peers for which something waits, such as a stream, to continue in the next session.
  var awaited: Set<PeerID> = []
  var effects: [Effect] = []
  /// Returns a number from 0 to 1.
  let random: @Sendable () -> Double

  /// - Parameter random: Returns a number from 0 to 1, which is random unless a test chooses it.
  package init(random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) { self.random = random }

  /// The peers that have an instance, and not as one that a removed device may have made up.
  package func holders(of instance: String) -> [PeerID] {
    peers.owners(of: instance).filter { peers[$0]?.holds(instance) == true }
  }

  /// - Parameter awaited: The peers for whose next session something waits. They are not forgotten, and are tried again
  ///   soon.
  package mutating func handle(
    _ event: Event,
    at now: ContinuousClock.Instant,
    awaited: Set<PeerID> = []
  ) -> [Effect] {
    effects = []
    self.awaited = awaited
    switch event {
    case .teamsChanged(let teams): changeTeams(teams)
    case .seen(let instance, let peer, let isDoubtful): see(instance, of: peer, isDoubtful: isDoubtful, now)
    case .lost(let instance): lose(instance)
    case .resolved(let instance, let addresses): resolve(instance, addresses, now)
    case .remembered(let peer, let addresses): remember(peer, addresses, now)
    case .said(let peer, let addresses): say(peer, addresses, now)
    case .named(let all): name(all, now)
    case .dialFailed(let peer, let reason): dialFailed(peer, reason, now)
    case .opened(let peer, let isDialler): open(peer, isDialler)
    case .openingEnded(let peer, let reason, let isDialler): endOpening(peer, reason, isDialler, now)
    case .canMeet(let peer, let canMeet): setCanMeet(peer, canMeet, now)
    case .meetingFailed(let peer, let reason): meetingFailed(peer, reason, now)
    case .ready(let peer, let address, let isDialler, let isRelayed):
      begin(peer, address, isDialler: isDialler, isRelayed: isRelayed, now)
    case .told(let peer, let address): learn(peer, address)
    case .ended(let peer, let reason): end(peer, reason, now)
    case .reachedNamed(let named, let peer): reach(named, peer, now)
    case .failedNamed(let named, let reason): fail(named, reason, now)
    case .wanted(let peer): want(peer, now)
    case .networkChanged, .resumed: tryAll(now)
    case .wake: break
    }
    passTime(now)
    effects.append(.wake(at: nextDeadline))
    return effects
  }

  private mutating func passTime(_ now: ContinuousClock.Instant) {
    for (id, due) in peers.due where due <= now { attempt(id, now) }
    for (id, due) in peers.meetings where due <= now { helpAttempt(id, now) }
    for (id, entry) in named {
      if let due = entry.due, due <= now { attempt(id) }
    }
  }

  private var nextDeadline: ContinuousClock.Instant? {
    [peers.due.values.min(), peers.meetings.values.min(), named.values.lazy.compactMap(\.due).min()].compactMap(\.self)
      .min()
  }

  private mutating func changeTeams(_ teams: [TeamID: DeviceID]) {
    own = teams
    for (id, peer) in peers where teams[id.team] == nil {
      if peer.attempt != nil { effects.append(.stopDialling(id)) }
      peers[id] = nil
      if peer.isKnown { effects += [.forgotten(id), .changed] }
      effects.append(.dropped(id))
      effects += peer.instances.map { .released(instance: $0) }
    }
    name(Set(named.keys.filter { teams[$0.team] != nil }), nil)
  }

  /// Tries everything again, because the surroundings have changed. What failed may succeed now, and what worked may
  /// have died silently.
  private mutating func tryAll(_ now: ContinuousClock.Instant) {
    for (id, peer) in peers {
      if peer.readySince != nil { effects.append(.probe(id)) }
      guard peer.isRelayed || peer.readySince == nil && !peer.isIdle && hasWay(to: id) else { continue }
      if peer.attempt != nil { effects.append(.stopDialling(id)) }
      let due = now + soon(id)
      peers[id]?.attempt = nil
      peers[id]?.backoff.reset()
      peers[id]?.leavingRelay.reset()
      peers[id]?.due = due
    }
    for (id, entry) in named where !hasSession(entry.peer) {
      if entry.isDialling { effects.append(.stopDiallingNamed(id)) }
      let due = now + ReachabilityLimits.redialJitter * random()
      named[id]?.isDialling = false
      named[id]?.backoff.reset()
      named[id]?.due = due
    }
  }

  /// Returns a short, random delay. It keeps the two sides of a lost session, and all peers of one machine, from
  /// dialling at the same time. The side with the lower Device ID comes first.
  func soon(_ peer: PeerID) -> Duration {
    let half = ReachabilityLimits.redialJitter / 2
    return half * random() + (isFirst(peer) ? .zero : half)
  }

  /// Whether this side's Device ID is the lower one.
  func isFirst(_ peer: PeerID) -> Bool { own[peer.team].map { $0 < peer.device } ?? true }

  func hasSession(_ peer: PeerID?) -> Bool { peer.flatMap { peers[$0]?.readySince } != nil }
}
