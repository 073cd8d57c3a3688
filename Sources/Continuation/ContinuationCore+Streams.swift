import Activity
import PeerProtocol

/// Who may open a stream, and the wait until it is accepted (Protocol.md section 7). The shell handles its bytes.
extension ContinuationCore {
  // MARK: The receiver opens

  mutating func requestStream(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let continued = continuation(id, of: user), mayUse(continued.peer.team, user) else {
      return effects.append(.fail(client, .activityNotFound))
    }
    guard continued.supportsStreams else { return effects.append(.fail(client, .streamsNotSupported)) }
    guard let peer = peers[continued.peer], peer.isConnected else {
      return effects.append(.fail(client, .peerUnreachable))
    }
    guard openedCount < UInt32.max / 2, isAllowed(user, openingStreams.values.map(\.user)),
      openingStreams.keys.count(where: { $0.peer == continued.peer }) < Limits.streamsPerPeer
    else { return effects.append(.fail(client, .streamLimitReached)) }
    openedCount += 1
    let stream = StreamID(peer: continued.peer, number: peer.isFirst ? 2 * openedCount - 1 : 2 * openedCount)
    // The origin gives its app `streamAcceptTime`; the rest is the network's.
    let deadline = time.instant + Limits.streamAcceptTime + Limits.fetchTime
    openingStreams[stream] = OpeningStream(activity: id, user: user, client: client, deadline: deadline)
    effects.append(.send(.open(Open(stream: stream.number, activity: id)), to: stream.peer))
  }

  /// Returns what the user continued. Root may use what others continued.
  private func continuation(_ id: ActivityID, of user: UserID) -> ContinuedActivity? {
    continued[user]?[id] ?? (user == 0 ? continued.values.lazy.compactMap { $0[id] }.first : nil)
  }

  /// Whether a user may have one more stream.
  ///
  /// - Parameter users: The users of the other streams.
  private func isAllowed(_ user: UserID, _ users: [UserID]) -> Bool {
    Limits.streamShare.allows(user, own: users.count { $0 == user }, all: users.count)
  }

  mutating func receiveOpened(_ opened: Opened, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: opened.stream)
    guard let opening = openingStreams.removeValue(forKey: stream) else { return }
    effects.append(.join(opening.client, stream, sendLimit: opened.limit))
  }

  /// Reacts to a peer that resumes a stream. This side either does not have it, or waits for the answer to its request.
  mutating func receiveResume(_ resume: Resume, from peer: PeerID) {
    let stream = StreamID(peer: peer, number: resume.stream)
    guard let opening = openingStreams.removeValue(forKey: stream) else { return refuse(stream, .streamInterrupted) }
    effects.append(.join(opening.client, stream, sendLimit: resume.progress.limit))
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
    guard let known = peers[peer], (open.stream & 1 == 0) == known.isFirst else {
      return refuse(stream, .protocolViolation)
    }
    // The session has ended since the request, and the app has not answered yet.
    guard !waitingStreams.values.contains(where: { $0.stream == stream }) else { return }
    guard peers.change(peer, { $0.open(open.stream) }) == true else { return refuse(stream, .streamInterrupted) }
    guard let activity = local[open.activity], activity.continuedBy.contains(peer), mayUse(peer.team, activity.user)
    else {
      return refuse(stream, .activityNotFound)
    }
    guard activity.record.supportsContinuationStreams else { return refuse(stream, .streamsNotSupported) }
    guard isAllowed(activity.user, waitingStreams.values.map(\.user)),
      waitingStreams.values.count(where: { $0.stream.peer == peer }) < Limits.streamsPerPeer
    else { return refuse(stream, .streamLimitReached) }
    let token = String(order.next())
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
    guard peers.isConnected(waiting.stream.peer) else { return }
    effects.append(
      .send(.opened(Opened(stream: waiting.stream.number, limit: Limits.streamWindow)), to: waiting.stream.peer)
    )
  }

  /// Refuses waiting streams of users who have left the activity's team while other users stayed.
  mutating func refuseStreamsOfFormerUsers() {
    for (token, waiting) in waitingStreams where !mayUse(waiting.stream.peer.team, waiting.user) {
      waitingStreams[token] = nil
      refuse(waiting.stream, .activityNotFound)
    }
  }

  /// Tells the peer that the stream is over. Without a session, the peer learns it when it asks in the next one.
  mutating func refuse(_ stream: StreamID, _ reason: Reason) {
    guard peers.isConnected(stream.peer) else { return }
    effects.append(.send(.reset(Reset(stream: stream.number, reason: reason)), to: stream.peer))
  }

  /// Whether a stream waits for the peer's answer, or for an app to accept it.
  package func waits(for peer: PeerID) -> Bool {
    openingStreams.keys.contains { $0.peer == peer } || waitingStreams.values.contains { $0.stream.peer == peer }
  }

  /// Repeats the requests of the last session in a new one.
  mutating func openAgain(with peer: PeerID) {
    for (stream, opening) in openingStreams.sorted(by: { $0.key.number < $1.key.number }) where stream.peer == peer {
      effects.append(.send(.open(Open(stream: stream.number, activity: opening.activity)), to: peer))
    }
  }

  /// Ends the streams that were requested, because the peer no longer knows about them.
  mutating func endStreams(with peer: PeerID) {
    for (stream, opening) in openingStreams where stream.peer == peer {
      openingStreams[stream] = nil
      effects.append(.fail(opening.client, .streamInterrupted))
    }
    for (token, waiting) in waitingStreams where waiting.stream.peer == peer { waitingStreams[token] = nil }
  }
}
