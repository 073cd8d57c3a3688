import Activity
import PeerProtocol

/// What peers offer, according to their adverts and sessions (Protocol.md sections 2, 5).
extension ContinuationCore {
  mutating func see(_ advert: Advert, _ team: TeamID) {
    let id = PeerID(team: team, device: advert.device)
    makeRoom(for: id)
    let version = Version(time: advert.time, epoch: advert.epoch, counter: advert.counter)
    guard var peer = knownPeer(id, advert.deviceName), version > peer.version,
      advert.epoch == peer.epoch ?? advert.epoch
    else { return }
    defer { peers[id] = peer }
    guard !peer.isConnected else { return }
    peer.version = version
    // A device that had a session has given its name itself.
    if peer.epoch == nil { peer.name = advert.deviceName }
    let earlier = peer.offers
    peer.offers = [:]
    if let current = advert.current, let record = ActivityRecord(current) {
      let known = earlier[record.id].flatMap { $0.record == record ? $0.order : nil }
      peer.offers[record.id] = PeerOffer(record: record, source: .advert, order: known ?? order.next())
    }
    if !earlier.isEmpty || !peer.offers.isEmpty { effects.append(.offersChanged) }
  }

  /// Changes a device's name, because the device itself has said so in a session.
  mutating func rename(_ id: PeerID, as name: String) {
    guard let peer = peers[id], peer.name != name else { return }
    peers[id]?.name = name
    if !peer.offers.isEmpty { effects.append(.offersChanged) }
  }

  /// Returns the peer, or a new one with that name. Nil if the team is not ours, or too many peers are known.
  func knownPeer(_ id: PeerID, _ name: String) -> Peer? {
    guard membership.contains(id.team) else { return nil }
    if let peer = peers[id] { return peer }
    guard peers.count < Limits.instances else { return nil }
    var last = forgotten[id] ?? Forgotten()
    // The last state that it announced counts again.
    last.version.counter -= min(last.version.counter, 1)
    return Peer(name: name, version: last.version, epoch: last.epoch)
  }

  /// Forgets a peer if too many are known. Among the peers without a session or a fetch, it is the one that has offered
  /// nothing for the longest time.
  mutating func makeRoom(for id: PeerID) {
    guard peers[id] == nil, membership.contains(id.team), peers.count >= Limits.instances else { return }
    let idle = peers.filter { other, peer in !peer.isConnected && !fetching.keys.contains { $0.peer == other } }
    let oldest = idle.min { ($0.value.newestOffer, $0.value.version) < ($1.value.newestOffer, $1.value.version) }
    if let oldest { forget(oldest.key) }
  }

  mutating func loseAdvert(_ peer: PeerID) {
    guard peers[peer]?.isConnected == false else { return }
    forget(peer)
  }

  mutating func forget(_ peer: PeerID) {
    guard let known = peers.removeValue(forKey: peer) else { return }
    if !known.offers.isEmpty { effects.append(.offersChanged) }
    guard membership.contains(peer.team) else { return }
    forgotten[peer] = Forgotten(version: max(known.version, forgotten[peer]?.version ?? Version()), epoch: known.epoch)
    if forgotten.count > Limits.instances,
      let oldest = forgotten.min(by: { ($0.value.rank, $0.value.version) < ($1.value.rank, $1.value.version) })
    {
      forgotten[oldest.key] = nil
      if peers[oldest.key] == nil { forgetOrigins(of: oldest.key) }
    }
  }

  /// The first peer that offers an activity over a session remains its origin, even while it is away. Another member
  /// that offers the same ID does not come before it.
  private mutating func noteOrigin(_ activity: ActivityID, _ peer: PeerID) {
    guard origins[activity] == nil else { return }
    let own = origins.filter { $0.value.peer == peer }
    if own.count >= Limits.offersPerPeer, let oldest = own.min(by: { $0.value.order < $1.value.order }) {
      origins[oldest.key] = nil
    }
    origins[activity] = Origin(peer: peer, order: order.next())
  }

  mutating func forgetOrigins(of peer: PeerID) { origins = origins.filter { $0.value.peer != peer } }

  mutating func removeOffers(of peer: PeerID, where condition: (PeerOffer) -> Bool) {
    guard let offers = peers[peer]?.offers, offers.values.contains(where: condition) else { return }
    peers[peer]?.offers = offers.filter { !condition($0.value) }
    effects.append(.offersChanged)
  }

  // MARK: Sessions

  mutating func receiveOffer(_ offer: Offer, from id: PeerID) {
    guard var peer = peers[id] else { return }
    guard peer.offers[offer.activity.id] != nil || peer.offers.count < Limits.offersPerPeer else { return }
    peer.version.counter = max(peer.version.counter, offer.counter)
    let known = peer.offers[offer.activity.id]
    let order = known?.record == offer.activity ? known?.order : nil
    peer.offers[offer.activity.id] = PeerOffer(
      record: offer.activity,
      source: .session,
      order: order ?? self.order.next()
    )
    noteOrigin(offer.activity.id, id)
    peers[id] = peer
    effects.append(.offersChanged)
  }

  mutating func receiveWithdraw(_ withdraw: Withdraw, from id: PeerID) {
    guard var peer = peers[id] else { return }
    peer.version.counter = max(peer.version.counter, withdraw.counter)
    peers[id] = peer
    removeOffers(of: id) { $0.record.id == withdraw.activity }
  }

  // MARK: What users see

  /// Returns what other machines offer to `user`, the newest first.
  package func offers(for user: UserID) -> [VisibleOffer] {
    peers.filter { mayUse($0.key.team, user) }.flatMap { id, peer in
      peer.offers.values.map { offer in
        let visible = VisibleOffer(activity: offer.record, peer: id, deviceName: peer.name, source: offer.source)
        return (order: offer.order, visible: visible)
      }
    }.sorted { $0.order > $1.order }.map(\.visible)
  }

  /// Returns the offer of an activity to `user`.
  ///
  /// - Parameter device: The device that offers it. Nil for the first device that offered it over a session. If that
  ///   device no longer offers it, a device with a session comes next, and then any other, the newest offer first.
  package func offer(_ id: ActivityID, from device: DeviceID? = nil, for user: UserID) -> VisibleOffer? {
    let offers = offers(for: user).filter { $0.activity.id == id && (device ?? $0.peer.device) == $0.peer.device }
    return offers.first { $0.peer == origins[id]?.peer } ?? offers.first { peers[$0.peer]?.isConnected == true }
      ?? offers.first
  }
}

extension ActivityRecord {
  fileprivate init?(_ current: Advert.Current) {
    guard var record = try? ActivityRecord(id: current.id, activityType: current.activityType) else { return nil }
    record.title = current.title.isEmpty ? nil : current.title
    record.supportsContinuationStreams = current.supportsContinuationStreams
    record.hasWebPage = current.hasWebPage
    guard let valid = try? record.validated() else { return nil }
    self = valid
  }
}
