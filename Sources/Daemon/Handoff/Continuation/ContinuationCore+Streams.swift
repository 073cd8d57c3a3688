// SPDX-License-Identifier: Apache-2.0

import Activity

/// Who may open a stream, and the wait until it is accepted (Protocol.md section 7). The shell handles its bytes.
extension ContinuationCore {
  // MARK: The receiver opens

  mutating func requestStream(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let continued = continued.usable(id, by: user), mayUse(continued.peer.team, user) else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard continued.supportsStreams else { return effects.append(.fail(client, .streamsNotSupported)) }
    guard let peer = peers[continued.peer], peer.isConnected else {
      return effects.append(.fail(client, .peerUnreachable))
    }
    guard let stream = openingStreams.open(id, continued.peer, isFirst: peer.isFirst, client, user, time) else {
      return effects.append(.fail(client, .streamLimitReached))
    }
    effects.append(.sendOfStream(.open(Open(stream: stream.number, activity: id)), to: stream.peer))
  }

  mutating func receiveOpened(_ opened: Opened, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: opened.stream)
    guard let client = openingStreams.remove(stream) else { return }
    effects.append(.join(client, stream, FirstLimits(opened: opened.limit)))
  }

  /// Reacts to a peer that resumes a stream. This side either does not have it, or waits for the answer to its request.
  mutating func receiveResume(_ resume: Resume, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: resume.stream)
    guard let client = openingStreams.remove(stream) else { return refuse(stream, .streamInterrupted) }
    effects.append(.join(client, stream, FirstLimits(opened: resume.progress.limit)))
  }

  mutating func receiveReset(_ reset: Reset, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: reset.stream)
    if let client = openingStreams.remove(stream) { effects.append(.fail(client, reset.reason)) }
    waitingStreams.remove(stream)
  }

  // MARK: The origin accepts

  mutating func receiveOpen(_ open: Open, from peer: PeerID, _ time: Time) {
    let stream = StreamID(peer: peer, number: open.stream)
    // One side's numbers are odd, the other's even, and both grow.
    guard let known = peers[peer], (open.stream & 1 == 0) == known.isFirst else {
      return refuse(stream, .protocolViolation)
    }
    // The session has ended since the request, and the app has not answered yet.
    guard !waitingStreams.contains(stream) else { return }
    guard peers.change(peer, { $0.open(open.stream) }) == true else { return refuse(stream, .streamInterrupted) }
    guard let activity = local[open.activity], activity.continuedBy.contains(peer), mayUse(peer.team, activity.user)
    else {
      return refuse(stream, .activityNotFound)
    }
    guard activity.record.supportsContinuationStreams else { return refuse(stream, .streamsNotSupported) }
    let sendLimit = open.limit ?? Limits.streamWindow
    guard appRequests.take(for: peer, at: time.instant),
      let token = waitingStreams.add(stream, sendLimit, of: activity, &order, at: time)
    else {
      return refuse(stream, .streamLimitReached)
    }
    effects.append(.tell(activity.client, .streamRequested(token: token, device: known.name, team: peer.team)))
  }

  mutating func acceptStream(_ token: String, _ client: ClientID, _ user: UserID) {
    guard let (stream, sendLimit) = waitingStreams.accept(token, by: user) else {
      return effects.append(.fail(client, .streamNotFound))
    }
    effects.append(.join(client, stream, FirstLimits(accepting: sendLimit)))
    guard peers.isConnected(stream.peer) else { return }
    effects.append(
      .sendOfStream(.opened(Opened(stream: stream.number, limit: Limits.streamFirstWindow)), to: stream.peer)
    )
  }

  /// Tells the peer that the stream is over. Without a session, the peer learns it when it asks in the next one.
  mutating func refuse(_ stream: StreamID, _ reason: Reason) {
    guard peers.isConnected(stream.peer) else { return }
    effects.append(.sendOfStream(.reset(Reset(stream: stream.number, reason: reason)), to: stream.peer))
  }

  /// The peers with streams that wait for the peer's answer, or for an app to accept them.
  package var awaitedPeers: Set<PeerID> { openingStreams.peers.union(waitingStreams.peers) }

  /// Repeats the requests of the last session in a new one.
  mutating func openAgain(with peer: PeerID) {
    for opening in openingStreams.with(peer) {
      effects.append(.sendOfStream(.open(Open(stream: opening.id.number, activity: opening.activity)), to: peer))
    }
  }

  /// Ends the streams that were requested, because the peer no longer knows about them.
  mutating func endStreams(with peer: PeerID) {
    fail(openingStreams.remove(with: peer), .streamInterrupted)
    waitingStreams.remove(with: peer)
  }
}
