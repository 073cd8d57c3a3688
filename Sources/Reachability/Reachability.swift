import Activity
import Continuation

/// How the other devices are reached: which instances are asked for their addresses, which addresses are dialled, when
/// that is tried again, and when a peer is forgotten. It holds no connection; the shell carries its effects out.
///
/// It never looks into an address: to it, addresses are equal or not.
package struct Reachability<Address: Hashable & Sendable>: Sendable {
  package enum Event: Equatable, Sendable {
    /// Which teams this machine is in, and what it is in them. What is known of peers of other teams is dropped.
    case teamsChanged([TeamID: DeviceID])

    // Discovery.
    /// An instance's advert says that it is the peer's. It is doubtful where devices that were removed can say so, too.
    case seen(instance: String, of: PeerID, isDoubtful: Bool = false)
    case lost(instance: String)
    /// The answer to ``Effect/resolve(instance:)``; without addresses where there are none.
    case resolved(instance: String, [Address])

    // What is known without discovery.
    /// Where the peer was reached before, the newest first. Replaces what was known so.
    case remembered(PeerID, [Address])
    /// Every address that a user named. Replaces what was named before.
    case named(Set<StaticPeer>)

    // Connections.
    /// No address of those that ``Effect/dial(_:_:)`` named leads to the peer.
    case dialFailed(PeerID, Reason)
    /// A connection with the peer is established, and becomes a session if both sides accept.
    case opened(PeerID, isDialler: Bool)
    /// Such a connection ended, or is not needed.
    case openingEnded(PeerID, Reason, isDialler: Bool)
    /// Such a connection became the session with the peer, perhaps in another's place.
    /// - Parameter address: Where this side dialled; nil where the peer did.
    case ready(PeerID, address: Address?)
    /// The peer, which dialled, says that it listens there.
    case told(PeerID, Address)
    /// There is no session with the peer any more.
    case ended(PeerID, Reason)
    /// What a user named answered: the peer, or nil for this machine itself.
    case reachedNamed(StaticPeer, PeerID?)
    case failedNamed(StaticPeer, Reason)

    // Signs that it is worth trying now.
    /// A user waits for a session with the peer.
    case wanted(PeerID)
    /// This machine has other addresses or routes.
    case networkChanged
    /// The machine was asleep, or its clock jumped.
    case resumed

    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Ask discovery for the addresses of an instance.
    case resolve(instance: String)
    /// Dial these addresses too, beside those that are being dialled; the first of all that answers is kept.
    case dial(PeerID, [Address])
    /// What is being dialled does not matter any more.
    case stopDialling(PeerID)
    case dialNamed(StaticPeer)
    case stopDiallingNamed(StaticPeer)
    /// Ask the peer for a sign of life, and wait for it a short time only.
    case probe(PeerID)
    /// The peer was reached there, which makes it the first of its addresses; or it may be, as the last of them.
    case remember(PeerID, Address, isFirst: Bool)
    /// An attempt to reach the peer ended without a session.
    case connectFailed(PeerID, Reason)
    /// Neither a session with the peer is there nor a sign of it.
    case forgotten(PeerID)
    /// Nothing about the peer is kept here.
    case dropped(PeerID)
    /// The instance is no longer among a peer's, though discovery may still see it.
    case released(instance: String)
    /// What people see of some peer is other than before.
    case changed

    /// Send `.wake` at this instant, and not at one that was named before. Nil: not at all.
    case wake(at: ContinuousClock.Instant?)
  }

  package internal(set) var peers: [PeerID: Peer] = [:]
  package internal(set) var named: [StaticPeer: Named] = [:]
  /// This machine in its teams.
  var own: [TeamID: DeviceID] = [:]
  /// Peers for whose next session something waits that was begun in the last one.
  var awaited: Set<PeerID> = []
  var effects: [Effect] = []
  /// From 0 to 1.
  let random: @Sendable () -> Double

  /// - Parameter random: Gives a number from 0 to 1; at random unless a test says it.
  package init(random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) { self.random = random }

  /// - Parameter awaited: Peers for whose next session something waits: they are not forgotten, and tried again soon.
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
    case .named(let all): name(all, now)
    case .dialFailed(let peer, let reason): dialFailed(peer, reason, now)
    case .opened(let peer, let isDialler): open(peer, isDialler)
    case .openingEnded(let peer, let reason, let isDialler): endOpening(peer, reason, isDialler, now)
    case .ready(let peer, let address): begin(peer, address, now)
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
    for (id, peer) in peers {
      if let due = peer.due, due <= now { attempt(id, now) }
    }
    for (id, entry) in named {
      if let due = entry.due, due <= now { attempt(id) }
    }
  }

  private var nextDeadline: ContinuousClock.Instant? {
    (peers.values.compactMap(\.due) + named.values.compactMap(\.due)).min()
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

  /// Everything is other than it was: what failed may succeed, and what worked may be dead without a word.
  private mutating func tryAll(_ now: ContinuousClock.Instant) {
    for (id, peer) in peers {
      if peer.readySince != nil {
        effects.append(.probe(id))
      } else if !peer.isIdle, hasWay(to: id) {
        if peer.attempt != nil { effects.append(.stopDialling(id)) }
        let due = now + soon(id)
        peers[id]?.attempt = nil
        peers[id]?.backoff.reset()
        peers[id]?.due = due
      }
    }
    for (id, entry) in named where !hasSession(entry.peer) {
      if entry.isDialling { effects.append(.stopDiallingNamed(id)) }
      let due = now + Limits.redialJitter * random()
      named[id]?.isDialling = false
      named[id]?.backoff.reset()
      named[id]?.due = due
    }
  }

  /// A moment that keeps the two sides of a lost session, and all peers of one machine, from dialling at once: the side
  /// with the lower Device ID comes first.
  func soon(_ peer: PeerID) -> Duration {
    let half = Limits.redialJitter / 2
    return half * random() + (isFirst(peer) ? .zero : half)
  }

  /// This side's Device ID is the lower one.
  func isFirst(_ peer: PeerID) -> Bool { own[peer.team].map { $0 < peer.device } ?? true }

  func hasSession(_ peer: PeerID?) -> Bool { peer.flatMap { peers[$0]?.readySince } != nil }
}
