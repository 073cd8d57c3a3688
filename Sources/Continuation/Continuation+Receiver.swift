import Activity
import PeerProtocol

/// This machine as the receiver: the continuations that its programs ask for (Protocol.md section 6).
extension Continuation {
  mutating func requestContinuation(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let peer = peer(offering: id, to: user) else {
      let isOurs = continued[id]?.user == user
      return effects.append(.fail(client, isOurs ? .alreadyContinued : .activityNotFound))
    }
    if let fetch = fetching[id] {
      guard fetch.client == nil, mayUse(fetch.peer.team, user) else {
        return effects.append(.fail(client, .alreadyContinued))
      }
      // Who asked first has left, and the answer is on its way.
      fetching[id]?.client = client
      fetching[id]?.user = user
      return
    }
    guard fetching.values.filter({ $0.peer == peer }).count < Limits.fetchesPerPeer else {
      return effects.append(.fail(client, .limitReached))
    }
    fetching[id] = Fetching(peer: peer, user: user, deadline: time.instant + Limits.fetchTime, client: client)
    peers[peer]?.isConnected == true ? sendFetch(id) : effects.append(.connect(peer))
  }

  /// The connected one where there are several: a machine may share more than one team with this one.
  private func peer(offering id: ActivityID, to user: UserID) -> PeerID? {
    let peers = peers.filter { mayUse($0.key.team, user) && $0.value.offers[id] != nil }
    return (peers.first { $0.value.isConnected } ?? peers.first)?.key
  }

  mutating func sendFetch(_ id: ActivityID) {
    guard let peer = fetching[id]?.peer, let request = peers[peer]?.nextRequest else { return }
    peers[peer]?.nextRequest += 1
    fetching[id]?.request = request
    fetching[id]?.retry = nil
    effects.append(.send(.fetch(Fetch(request: request, activity: id)), to: peer))
  }

  private func fetch(answeredBy request: UInt64, from peer: PeerID) -> (id: ActivityID, Fetching)? {
    fetching.first { $0.value.peer == peer && $0.value.request == request }.map { ($0.key, $0.value) }
  }

  mutating func receivePayload(_ payload: Payload, from peer: PeerID) {
    let record = payload.activity
    guard let (id, fetch) = fetch(answeredBy: payload.request, from: peer), id == record.id else {
      // It came too late: whoever asked for it was told that it failed. A fetch that followed decides for both.
      guard fetching[record.id]?.peer != peer else { return }
      let continued = PeerProtocol.Continued(activity: record.id, delivered: false)
      return effects.append(.send(.continued(continued), to: peer))
    }
    fetching[id] = nil
    effects.append(
      .send(.continued(PeerProtocol.Continued(activity: id, delivered: fetch.client != nil)), to: peer)
    )
    guard let client = fetch.client else { return }
    removeOffers(of: peer) { $0.record.id == id }
    if continued.count >= Limits.rememberedContinuations,
      let oldest = continued.min(by: { $0.value.order < $1.value.order })
    {
      continued[oldest.key] = nil
    }
    continued[id] = Continued(
      peer: peer,
      user: fetch.user,
      supportsStreams: record.supportsContinuationStreams,
      order: nextOrder()
    )
    effects.append(.deliver(client, record, device: peers[peer]?.name ?? peer.description))
  }

  mutating func receiveFailure(_ failure: Failure, from peer: PeerID) {
    guard let (id, fetch) = fetch(answeredBy: failure.request, from: peer) else { return }
    fetching[id] = nil
    if let client = fetch.client { effects.append(.fail(client, failure.reason)) }
  }

  /// The peer could not be reached. A daemon that was started again is listed before it can be dialled: until the fetch's
  /// deadline, only an answer that cannot become another ends it.
  mutating func connectFailed(_ peer: PeerID, _ reason: Reason, _ time: Time) {
    guard !reason.isDefinite else { return failFetches(from: peer, reason, onlyUnsent: true) }
    for (id, fetch) in fetching where fetch.peer == peer && fetch.request == nil && fetch.retry == nil {
      fetching[id]?.retry = time.instant + Limits.fetchRetryTime
    }
  }

  /// Reaches peers again for which that is due.
  mutating func retryFetches(_ time: Time) {
    for (id, fetch) in fetching {
      guard let retry = fetch.retry, retry <= time.instant else { continue }
      fetching[id]?.retry = nil
      let connect = Effect.connect(fetch.peer)
      if fetch.request == nil, !effects.contains(connect) { effects.append(connect) }
    }
  }

  mutating func failFetches(from peer: PeerID, _ reason: Reason, onlyUnsent: Bool = false) {
    for (id, fetch) in fetching where fetch.peer == peer && (!onlyUnsent || fetch.request == nil) {
      fetching[id] = nil
      if let client = fetch.client { effects.append(.fail(client, reason)) }
    }
  }
}

extension Reason {
  /// Whether trying again leads nowhere: the other side answered, and would answer the same.
  fileprivate var isDefinite: Bool {
    switch self {
    case .certificateMissing, .certificateInvalid, .certificateExpired, .certificateRevoked, .otherTeam,
      .versionMismatch,
      .protocolViolation, .teamNotFound, .internalFailure:
      true
    default: false
    }
  }
}
