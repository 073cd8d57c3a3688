// SPDX-License-Identifier: Apache-2.0

import Activity

/// The peers that adverts and sessions have shown, and what is remembered of those that have gone.
///
/// At most `Limits.knownPeers` are known. Another one takes the place of the one that has offered nothing for the
/// longest time, unless all have a session or are needed. Each change returns whether offers have changed, unless it
/// says what else it returns.
struct KnownPeers: Sendable {
  private var peers: [PeerID: KnownPeer] = [:]
  /// When the sessions of peers should have confirmed their offers, of those that have not.
  private var confirmUntil: [PeerID: ContinuousClock.Instant] = [:]
  private var connectedPeers: [TeamID: Set<PeerID>] = [:]
  private(set) var forgotten = ForgottenPeers()
  private(set) var origins = Origins()

  var count: Int { peers.count }

  subscript(id: PeerID) -> KnownPeer? { peers[id] }

  func isConnected(_ id: PeerID) -> Bool { peers[id]?.isConnected == true }

  /// The peer's name, for people to read.
  func name(of id: PeerID) -> String { peers[id]?.name ?? id.description }

  func connected(in team: TeamID) -> Set<PeerID> { connectedPeers[team] ?? [] }

  /// Keeps the other tables in step with a peer that has changed.
  private mutating func note(_ id: PeerID) {
    let peer = peers[id]
    if confirmUntil[id] != peer?.confirmUntil { confirmUntil[id] = peer?.confirmUntil }
    if peer?.isConnected == true {
      connectedPeers[id.team, default: []].insert(id)
    } else if connectedPeers[id.team]?.remove(id) != nil, connectedPeers[id.team]?.isEmpty == true {
      connectedPeers[id.team] = nil
    }
  }

  // MARK: Room

  /// Returns the peer to forget, if too many are known for a new one.
  func surplus(for id: PeerID, unless isNeeded: (PeerID) -> Bool) -> PeerID? {
    guard peers[id] == nil, count >= Limits.knownPeers else { return nil }
    let idle = peers.filter { !$0.value.isConnected && !isNeeded($0.key) }
    return idle.min { ($0.value.newestOffer, $0.value.version) < ($1.value.newestOffer, $1.value.version) }?.key
  }

  /// - Returns: Nil if too many peers are known.
  private func newPeer(_ id: PeerID, _ name: String) -> KnownPeer? {
    count < Limits.knownPeers ? KnownPeer(name: name, after: forgotten[id]) : nil
  }

  /// Removes a peer, and remembers how new its state was.
  mutating func forget(_ id: PeerID) -> Bool {
    guard let peer = peers.removeValue(forKey: id) else { return false }
    note(id)
    if let other = forgotten.remember(id, peer.version, epoch: peer.epoch), peers[other] == nil {
      origins.forget(other)
    }
    return !peer.offers.isEmpty
  }

  /// Removes the peers of teams that this machine has left. Nothing is remembered of them.
  ///
  /// - Returns: The removed peers.
  mutating func keep(only teams: TeamOwners) -> [(key: PeerID, value: KnownPeer)] {
    forgotten.keep(only: teams)
    let gone = peers.removeAll { !teams.contains($0.key.team) }
    for (id, _) in gone { note(id) }
    return gone
  }

  // MARK: Adverts and sessions

  mutating func see(_ advert: Advert, of id: PeerID, _ order: inout Order) -> Bool {
    if peers[id] == nil {
      guard let peer = newPeer(id, advert.deviceName), peer.believes(advert) else { return false }
      peers[id] = peer
    }
    return peers[id]?.see(advert, &order) ?? false
  }

  /// - Returns: Whether the peer's daemon no longer knows the streams of earlier sessions. Nil if there is no room for
  ///   the peer.
  mutating func beginSession(_ id: PeerID, _ hello: Hello, isFirst: Bool, at time: Time) -> Bool? {
    if peers[id] == nil { peers[id] = newPeer(id, hello.device) }
    defer { note(id) }
    return peers[id]?.beginSession(hello, isFirst: isFirst, at: time)
  }

  mutating func receive(_ offer: Offer, from id: PeerID, _ order: inout Order) -> Bool {
    guard peers[id]?.receive(offer, &order) == true else { return false }
    let offers = peers[id]?.offers ?? [:]
    origins.note(offer.activity.id, of: id, &order) { offers[$0] != nil }
    return true
  }

  /// Changes a peer, if it is known.
  ///
  /// - Returns: What the change returns. Nil if the peer is not known.
  mutating func change<Result>(_ id: PeerID, _ change: (inout KnownPeer) -> Result) -> Result? {
    guard let index = peers.index(forKey: id) else { return nil }
    defer { note(id) }
    return change(&peers.values[index])
  }

  /// Returns the peers whose sessions should have confirmed their offers by now.
  func unconfirmed(at instant: ContinuousClock.Instant) -> [PeerID] {
    confirmUntil.compactMap { id, end in end <= instant ? id : nil }
  }

  /// When the first session should have confirmed its peer's offers.
  var deadline: ContinuousClock.Instant? { confirmUntil.values.min() }

  // MARK: Offers

  func hasOffers(in teams: Set<TeamID>) -> Bool {
    peers.contains { !$0.value.offers.isEmpty && teams.contains($0.key.team) }
  }

  /// Returns what the peers offer, the newest first.
  func offers(where isVisible: (PeerID) -> Bool) -> [VisibleOffer] {
    peers.filter { isVisible($0.key) }.flatMap { id, peer in
      peer.offers.values.map { (order: $0.order, visible: VisibleOffer($0, of: id, peer)) }
    }.sorted { $0.order > $1.order }.map(\.visible)
  }

  /// Returns the offer of an activity. The one of its origin comes first, then one of a peer with a session, and then
  /// any other, the newest first.
  func offer(_ id: ActivityID, where isVisible: (PeerID) -> Bool) -> VisibleOffer? {
    if let origin = origins[id], isVisible(origin), let peer = peers[origin], let offer = peer.offers[id] {
      return VisibleOffer(offer, of: origin, peer)
    }
    var best: (rank: (Int, UInt64), offer: VisibleOffer)?
    for (peer, known) in peers {
      guard let offer = known.offers[id], isVisible(peer) else { continue }
      let rank = (known.isConnected ? 1 : 0, offer.order)
      if best.map({ $0.rank < rank }) ?? true { best = (rank, VisibleOffer(offer, of: peer, known)) }
    }
    return best?.offer
  }
}

extension VisibleOffer {
  fileprivate init(_ offer: KnownPeer.PeerOffer, of id: PeerID, _ peer: KnownPeer) {
    self.init(
      activity: offer.record,
      peer: id,
      deviceName: peer.name,
      source: offer.source,
      generation: offer.generation,
      isSent: offer.isSent
    )
  }
}
