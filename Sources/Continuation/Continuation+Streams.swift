import Activity
import PeerProtocol

/// Who may open a stream, and the wait until it is accepted (Protocol.md section 7). Its bytes are the shell's business.
extension Continuation {
  // MARK: The receiver opens

  mutating func requestStream(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let continued = continued[id], continued.user == user || user == 0, mayUse(continued.peer.team, user) else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard continued.supportsStreams else { return effects.append(.fail(client, .streamsNotSupported)) }
    guard let peer = peers[continued.peer], peer.isConnected else {
      return effects.append(.fail(client, .peerUnreachable))
    }
    guard peer.nextStream <= UInt32.max - 2, openingStreams.count < Limits.streams,
      openingStreams.keys.count(where: { $0.peer == continued.peer }) < Limits.streamsPerPeer
    else { return effects.append(.fail(client, .streamLimitReached)) }
    let stream = StreamID(peer: continued.peer, number: peer.nextStream)
    peers[continued.peer]?.nextStream += 2
    // The origin gives its app `streamAcceptTime`; the rest is the network's.
    let deadline = time.instant + Limits.streamAcceptTime + Limits.fetchTime
    openingStreams[stream] = OpeningStream(client: client, deadline: deadline)
    effects.append(.send(.open(Open(stream: stream.number, activity: id)), to: stream.peer))
  }

  mutating func receiveOpened(_ opened: Opened, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: opened.stream)
    guard let opening = openingStreams.removeValue(forKey: stream) else { return }
    effects.append(.join(opening.client, stream, sendLimit: opened.limit))
  }

  mutating func receiveReset(_ reset: Reset, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: reset.stream)
    if let opening = openingStreams.removeValue(forKey: stream) {
      effects.append(.fail(opening.client, reset.reason))
    }
    for (token, waiting) in waitingStreams where waiting.stream == stream { waitingStreams[token] = nil }
  }

  // MARK: The origin accepts

  mutating func receiveOpen(_ open: Open, from peer: PeerID, _ time: Time) {
    let stream = StreamID(peer: peer, number: open.stream)
    // One side's numbers are odd, the other's even, and both grow.
    guard let known = peers[peer], open.stream > known.lastOpened, (open.stream ^ known.nextStream) & 1 == 1 else {
      return refuse(stream, .protocolViolation)
    }
    peers[peer]?.lastOpened = open.stream
    guard let activity = local[open.activity], activity.continuedBy.contains(peer) else {
      return refuse(stream, .activityNotFound)
    }
    guard activity.record.supportsContinuationStreams else { return refuse(stream, .streamsNotSupported) }
    guard waitingStreams.count < Limits.streams,
      waitingStreams.values.count(where: { $0.stream.peer == peer }) < Limits.streamsPerPeer
    else { return refuse(stream, .streamLimitReached) }
    let token = String(nextOrder())
    waitingStreams[token] = WaitingStream(
      stream: stream,
      activity: open.activity,
      user: activity.user,
      deadline: time.instant + Limits.streamAcceptTime
    )
    effects.append(.tell(activity.client, .streamRequested(token: token, device: known.name)))
  }

  mutating func acceptStream(_ token: String, _ client: ClientID, _ user: UserID) {
    guard let waiting = waitingStreams[token], waiting.user == user else {
      return effects.append(.fail(client, .streamNotFound))
    }
    waitingStreams[token] = nil
    effects.append(.join(client, waiting.stream, sendLimit: Limits.streamWindow))
    effects.append(
      .send(.opened(Opened(stream: waiting.stream.number, limit: Limits.streamWindow)), to: waiting.stream.peer)
    )
  }

  private mutating func refuse(_ stream: StreamID, _ reason: Reason) {
    effects.append(.send(.reset(Reset(stream: stream.number, reason: reason)), to: stream.peer))
  }

  /// The session with the peer is over.
  mutating func endStreams(with peer: PeerID) {
    for (stream, opening) in openingStreams where stream.peer == peer {
      openingStreams[stream] = nil
      effects.append(.fail(opening.client, .streamInterrupted))
    }
    for (token, waiting) in waitingStreams where waiting.stream.peer == peer { waitingStreams[token] = nil }
  }
}
