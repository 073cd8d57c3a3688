// SPDX-License-Identifier: Apache-2.0

import Activity

/// This machine as the receiver: the continuations that its programs request (Protocol.md section 6).
extension ContinuationCore {
  mutating func requestContinuation(
    _ activity: ActivityID,
    _ device: DeviceID?,
    _ client: ClientID,
    _ user: UserID,
    _ time: Time
  ) {
    if device == nil, let opened = opened.take(activity, by: user) {
      return effects.append(.deliver(client, opened.record, device: nil, origin: opened.origin))
    }
    guard let offer = offer(activity, from: device, for: user) else {
      let isOurs = continued[activity, by: user] != nil
      return effects.append(.fail(client, isOurs ? .alreadyContinued : .activityNotFound))
    }
    let id = OfferID(peer: offer.peer, activity: activity)
    do {
      guard try fetches.begin(id, offer.activity.activityType, client, user, time) else { return }
    } catch {
      return effects.append(.fail(client, error))
    }
    guard !peers.isConnected(id.peer) else { return sendFetch(id) }
    effects.append(.connect(id.peer))
    fetches.retryLater(id.peer, at: time)
  }

  /// Holds an activity that the user opens, until a program takes it.
  mutating func open(_ record: ActivityRecord, _ origin: Origin, _ client: ClientID, _ user: UserID, _ time: Time) {
    do throws(Reason) {
      try opened.add(record, from: origin, by: user, at: time.instant)
      effects.append(.succeed(client))
    } catch {
      effects.append(.fail(client, error))
    }
  }

  mutating func sendFetch(_ id: OfferID) {
    guard let request = peers.change(id.peer, { $0.takeRequest() }) else { return }
    fetches.send(id, request)
    effects.append(.send(.fetch(Fetch(request: request, activity: id.activity)), to: id.peer))
  }

  mutating func receivePayload(_ payload: Payload, from peer: PeerID) {
    var record = payload.activity
    // It would be a page of this machine's own server.
    if record.hasPageOfThisMachineOnly { record.webpageURL = nil }
    let id = OfferID(peer: peer, activity: record.id)
    guard let fetch = fetches.end(id, answeredBy: payload.request) else {
      // It came too late, and the client was already told of a failure. A fetch that followed decides for both.
      guard fetches[id] == nil else { return }
      let continued = Continued(activity: record.id, delivered: false)
      return effects.append(.send(.continued(continued), to: peer))
    }
    let isAsOffered = record.activityType == fetch.activityType
    let message = Continued(activity: record.id, delivered: isAsOffered && fetch.client != nil)
    effects.append(.send(.continued(message), to: peer))
    guard let client = fetch.client else { return }
    // The user chose an app by the type that was offered.
    guard isAsOffered else { return fail(fetch.clients, .protocolViolation) }
    if !record.currentKind.staysOffered { change(peer) { $0.removeOffer(record.id) } }
    continued.add(record, from: peer, by: fetch.user, &order)
    effects.append(.deliver(client, record, device: peers.name(of: peer), origin: .device(peer.device)))
    for other in fetch.others {
      guard mayUse(peer.team, other.user) else {
        effects.append(.fail(other.client, .teamNotFound))
        continue
      }
      continued.add(record, from: peer, by: other.user, &order)
      effects.append(.deliver(other.client, record, device: peers.name(of: peer), origin: .device(peer.device)))
    }
  }

  mutating func receiveFailure(_ failure: Failure, from peer: PeerID) {
    fail(fetches.end(failure.request, from: peer)?.clients ?? [], failure.reason)
  }

  /// Reacts to a failed attempt to reach the peer. A restarted daemon is listed before it can be dialled. So until the
  /// fetch's deadline, only an answer that cannot change ends the fetch.
  mutating func connectFailed(_ peer: PeerID, _ reason: Reason, _ time: Time) {
    guard reason.isDefinite else { return fetches.retryLater(peer, at: time) }
    fail(fetches.end { id, fetch in id.peer == peer && fetch.request == nil }, reason)
  }

  /// Reaches peers again if it is time for that.
  mutating func retryFetches(_ time: Time) {
    for peer in fetches.retry(at: time.instant) where !effects.contains(.connect(peer)) {
      effects.append(.connect(peer))
    }
  }

  /// Ends the fetches from a peer whose session has ended, unless nothing is wrong with the peer. Then what was in
  /// progress continues in the next session.
  mutating func endFetches(from peer: PeerID, _ reason: Reason) {
    switch reason {
    case .sessionIdle, .duplicateSession:
      if fetches.sendAgain(to: peer) { effects.append(.connect(peer)) }
    default: fail(fetches.end { id, _ in id.peer == peer }, reason == .shuttingDown ? .peerUnreachable : reason)
    }
  }

  mutating func fail(_ clients: [ClientID], _ reason: Reason) {
    for client in clients { effects.append(.fail(client, reason)) }
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
