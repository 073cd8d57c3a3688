import Activity
import PeerProtocol

/// This machine as the receiver: the continuations that its programs request (Protocol.md section 6).
extension ContinuationCore {
  mutating func requestContinuation(
    _ activity: ActivityID,
    _ device: DeviceID?,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) {
    guard let offer = offer(activity, from: device, for: user) else {
      let isOurs = continued[user]?[activity] != nil
      return effects.append(.fail(client, isOurs ? .alreadyContinued : .activityNotFound))
    }
    let id = OfferID(peer: offer.peer, activity: activity)
    if let fetch = fetching[id] {
      guard fetch.client == nil else {
        return effects.append(.fail(client, .alreadyContinued))
      }
      // The client that asked first has left, and the answer is on its way.
      fetching[id]?.client = client
      fetching[id]?.user = user
      return
    }
    guard fetching.keys.count(where: { $0.peer == id.peer }) < Limits.fetchesPerPeer else {
      return effects.append(.fail(client, .limitReached))
    }
    fetching[id] = Fetching(
      activityType: offer.activity.activityType,
      user: user,
      deadline: time.instant + Limits.fetchTime,
      client: client
    )
    peers.isConnected(id.peer) ? sendFetch(id) : effects.append(.connect(id.peer))
  }

  mutating func sendFetch(_ id: OfferID) {
    guard fetching[id] != nil, let request = peers.change(id.peer, { $0.takeRequest() }) else { return }
    fetching[id]?.request = request
    fetching[id]?.retry = nil
    effects.append(.send(.fetch(Fetch(request: request, activity: id.activity)), to: id.peer))
  }

  private func fetch(answeredBy request: UInt64, from peer: PeerID) -> (id: OfferID, Fetching)? {
    fetching.first { $0.key.peer == peer && $0.value.request == request }.map { ($0.key, $0.value) }
  }

  mutating func receivePayload(_ payload: Payload, from peer: PeerID) {
    let record = payload.activity
    guard let (id, fetch) = fetch(answeredBy: payload.request, from: peer), id.activity == record.id else {
      // It came too late, and the client was already told of a failure. A fetch that followed decides for both.
      guard fetching[OfferID(peer: peer, activity: record.id)] == nil else { return }
      let continued = Continued(activity: record.id, delivered: false)
      return effects.append(.send(.continued(continued), to: peer))
    }
    fetching[id] = nil
    let isAsOffered = record.activityType == fetch.activityType
    let continued = Continued(activity: record.id, delivered: isAsOffered && fetch.client != nil)
    effects.append(.send(.continued(continued), to: peer))
    guard let client = fetch.client else { return }
    // The user chose an app by the type that was offered.
    guard isAsOffered else { return effects.append(.fail(client, .protocolViolation)) }
    change(peer) { $0.removeOffer(record.id) }
    remember(
      ContinuedActivity(peer: peer, supportsStreams: record.supportsContinuationStreams, order: order.next()),
      record.id,
      fetch.user
    )
    effects.append(.deliver(client, record, device: peers.name(of: peer)))
  }

  private mutating func remember(_ continuation: ContinuedActivity, _ id: ActivityID, _ user: UserID) {
    var all = continued[user] ?? [:]
    if all.count >= Limits.continuationsPerUser, let oldest = all.min(by: { $0.value.order < $1.value.order }) {
      all[oldest.key] = nil
    }
    all[id] = continuation
    continued[user] = all
  }

  mutating func receiveFailure(_ failure: Failure, from peer: PeerID) {
    guard let (id, fetch) = fetch(answeredBy: failure.request, from: peer) else { return }
    fetching[id] = nil
    if let client = fetch.client { effects.append(.fail(client, failure.reason)) }
  }

  /// Reacts to a failed attempt to reach the peer. A restarted daemon is listed before it can be dialled. So until the
  /// fetch's deadline, only an answer that cannot change ends the fetch.
  mutating func connectFailed(_ peer: PeerID, _ reason: Reason, _ time: Time) {
    guard !reason.isDefinite else { return failFetches(from: peer, reason, onlyUnsent: true) }
    for (id, fetch) in fetching where id.peer == peer && fetch.request == nil && fetch.retry == nil {
      fetching[id]?.retry = time.instant + Limits.fetchRetryTime
    }
  }

  /// Reaches peers again if it is time for that.
  mutating func retryFetches(_ time: Time) {
    for (id, fetch) in fetching {
      guard let retry = fetch.retry, retry <= time.instant else { continue }
      fetching[id]?.retry = nil
      let connect = Effect.connect(id.peer)
      if fetch.request == nil, !effects.contains(connect) { effects.append(connect) }
    }
  }

  mutating func failFetches(from peer: PeerID, _ reason: Reason, onlyUnsent: Bool = false) {
    for (id, fetch) in fetching where id.peer == peer && (!onlyUnsent || fetch.request == nil) {
      fetching[id] = nil
      if let client = fetch.client { effects.append(.fail(client, reason)) }
    }
  }
}

extension Reason {
  /// Whether trying again is useless, because the other side answered and would answer the same.
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
