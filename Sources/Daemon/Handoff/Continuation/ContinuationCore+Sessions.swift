// SPDX-License-Identifier: Apache-2.0

import Activity

/// The sessions with peers, from start to end (Protocol.md section 5).
extension ContinuationCore {
  mutating func beginSession(_ id: PeerID, _ hello: Hello, _ isFirst: Bool, _ time: Time) {
    guard teams.contains(id.team) else { return }
    makeRoom(for: id)
    let isReplaced = peers.isConnected(id)
    guard let isNewDaemon = peers.beginSession(id, hello, isFirst: isFirst, at: time) else { return }
    if isReplaced { leaveBehind(id, time) }
    if isNewDaemon { endStreams(with: id) }
    for offer in announcements.offers(to: id.team) { effects.append(.send(.offer(offer), to: id)) }
    openAgain(with: id)
    for (offer, fetch) in fetches.from(id) where fetch.request == nil { sendFetch(offer) }
  }

  /// Starts again what was in progress on a session that another session with the peer has replaced.
  private mutating func leaveBehind(_ peer: PeerID, _ time: Time) {
    announcements.endSession(with: peer)
    releaseReservations(of: peer, time)
    _ = fetches.sendAgain(to: peer)
  }

  mutating func endSession(_ peer: PeerID, _ reason: Reason, _ time: Time) {
    guard peers.isConnected(peer) else { return }
    announcements.endSession(with: peer)
    releaseReservations(of: peer, time)
    endFetches(from: peer, reason)
    if reason == .shuttingDown || reason == .teamLeft { endStreams(with: peer) }
    // An idle session was closed, not lost, so the peer's adverts continue where it ended.
    change(peer) { $0.endSession(keepsOffers: reason == .sessionIdle, at: time) }
  }

  mutating func receive(_ message: HandoffMessage, from peer: PeerID, _ time: Time) {
    guard peers.isConnected(peer) else { return }
    switch message {
    case .offer(let offer): receiveOffer(offer, from: peer, time)
    case .withdraw(let withdraw): change(peer) { $0.receive(withdraw) }
    case .fetch(let fetch): receiveFetch(fetch, from: peer, time)
    case .payload(let payload): receivePayload(payload, from: peer)
    case .failure(let failure): receiveFailure(failure, from: peer)
    case .continued(let continued): receiveContinued(continued, from: peer, time)
    }
  }

  mutating func receive(_ message: StreamMessage, from peer: PeerID, _ time: Time) {
    guard peers.isConnected(peer) else { return }
    switch message {
    case .open(let open): receiveOpen(open, from: peer, time)
    case .opened(let opened): receiveOpened(opened, from: peer)
    case .reset(let reset): receiveReset(reset, from: peer)
    case .resume(let resume): receiveResume(resume, from: peer)
    // Nothing to a stream that is not open.
    case .acknowledge, .finish: break
    }
  }

  mutating func rename(_ peer: PeerID, _ name: String) {
    guard peers.isConnected(peer) else { return }
    change(peer) { $0.rename(name) }
  }
}
