// SPDX-License-Identifier: Apache-2.0

import Activity

/// What peers offer, according to their adverts and sessions (Protocol.md sections 2, 5).
extension ContinuationCore {
  mutating func see(_ advert: Advert, _ team: TeamID) {
    guard teams.contains(team) else { return }
    let id = PeerID(team: team, device: advert.device)
    makeRoom(for: id)
    if peers.see(advert, of: id, &order) { effects.append(.offersChanged) }
  }

  mutating func loseAdvert(_ peer: PeerID) {
    if !peers.isConnected(peer) { forget(peer) }
  }

  /// Forgets a peer if too many are known.
  mutating func makeRoom(for id: PeerID) {
    if let surplus = peers.surplus(for: id, unless: fetches.contains) { forget(surplus) }
  }

  private mutating func forget(_ peer: PeerID) {
    if peers.forget(peer) { effects.append(.offersChanged) }
  }

  mutating func receiveOffer(_ offer: Offer, from peer: PeerID, _ time: Time) {
    _ = local.handle(.offered(offer.activity, by: peer), at: time)
    if peers.receive(offer, from: peer, &order) { effects.append(.offersChanged) }
  }

  /// - Parameter change: Returns whether the peer's offers have changed.
  mutating func change(_ peer: PeerID, _ change: (inout KnownPeer) -> Bool) {
    if peers.change(peer, change) == true { effects.append(.offersChanged) }
  }

  // MARK: What users see

  /// Returns what other machines offer to `user`, the newest first.
  package func offers(for user: UserID) -> [VisibleOffer] { peers.offers { mayUse($0.team, user) } }

  /// Whether programs of `user` have the same on this machine, or have just handed it over to the device that offers
  /// it.
  package func isHere(_ offer: VisibleOffer, for user: UserID, at now: ContinuousClock.Instant) -> Bool {
    local.held(by: user).contains { $0.isLike(offer, at: now) }
  }

  /// Returns the offer of an activity to `user`.
  ///
  /// - Parameter device: The device that offers it. Nil for the first device that offered it over a session. If that
  ///   device no longer offers it, a device with a session comes next, and then any other, the newest offer first.
  package func offer(_ id: ActivityID, from device: DeviceID? = nil, for user: UserID) -> VisibleOffer? {
    peers.offer(id) { (device ?? $0.device) == $0.device && mayUse($0.team, user) }
  }
}
