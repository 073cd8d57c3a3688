import Activity
import PeerProtocol

/// This machine as the receiver: what peers offer, and the continuations its programs ask for (Protocol.md sections 5, 6).
extension Continuation {
  /// How long offers known from adverts stay once a session with their device could have confirmed them.
  static let confirmTime = Duration.seconds(1)
  /// Continuations that are remembered so that their programs may open streams; the oldest goes first.
  static let rememberedContinuations = 64

  // MARK: Adverts

  mutating func see(_ advert: Advert, _ team: TeamID) {
    guard membership[team] != nil else { return }
    let id = PeerID(team: team, device: advert.device)
    guard peers[id] != nil || peers.count < Limits.instances else { return }
    var peer = peers[id] ?? Peer(name: advert.deviceName, version: (0, 0))
    guard (advert.epoch, advert.counter) > peer.version else { return }
    defer { peers[id] = peer }
    guard !peer.isConnected else { return }
    peer.version = (advert.epoch, advert.counter)
    peer.name = advert.deviceName
    let earlier = peer.offers
    peer.offers = [:]
    if let current = advert.current, let record = ActivityRecord(current) {
      peer.offers[record.id] = PeerOffer(record: record, source: .advert, order: nextOrder())
    }
    if !earlier.isEmpty || !peer.offers.isEmpty { effects.append(.offersChanged) }
  }

  mutating func loseAdvert(_ peer: PeerID) {
    guard peers[peer]?.isConnected == false else { return }
    forget(peer)
  }

  mutating func forget(_ peer: PeerID) {
    guard let known = peers.removeValue(forKey: peer) else { return }
    if !known.offers.isEmpty { effects.append(.offersChanged) }
  }

  mutating func removeOffers(of peer: PeerID, where condition: (PeerOffer) -> Bool) {
    guard let offers = peers[peer]?.offers, offers.values.contains(where: condition) else { return }
    peers[peer]?.offers = offers.filter { !condition($0.value) }
    effects.append(.offersChanged)
  }

  // MARK: Sessions

  mutating func beginSession(_ id: PeerID, _ hello: Hello, _ isFirst: Bool, _ time: Time) {
    var peer = peers[id] ?? Peer(name: hello.device, version: (0, 0))
    if peer.isConnected { leaveBehind(id) }
    if hello.epoch > peer.version.epoch { peer.version = (hello.epoch, 0) }
    peer.name = hello.device
    peer.isConnected = true
    peer.nextStream = isFirst ? 1 : 2
    peer.nextRequest = 1
    peer.confirmUntil = peer.offers.isEmpty ? nil : time.instant + Self.confirmTime
    for offer in peer.offers.keys { peer.offers[offer]?.source = .advert }
    peers[id] = peer
    for (_, summary) in announced[id.team]?.offers ?? [:] {
      effects.append(.send(.offer(Offer(activity: summary, counter: announced[id.team]?.counter ?? 0)), to: id))
    }
    for activity in fetching.filter({ $0.value.peer == id && $0.value.request == nil }).keys { sendFetch(activity) }
  }

  /// The session with the peer was replaced by another: what was under way on the old one begins again.
  private mutating func leaveBehind(_ peer: PeerID) {
    releaseReservations(of: peer)
    endStreams(with: peer)
    for (id, fetch) in fetching where fetch.peer == peer { fetching[id]?.request = nil }
  }

  mutating func endSession(_ peer: PeerID, _ reason: Reason) {
    guard peers[peer]?.isConnected == true else { return }
    peers[peer]?.isConnected = false
    peers[peer]?.confirmUntil = nil
    releaseReservations(of: peer)
    failFetches(from: peer, reason == .shuttingDown ? .peerUnreachable : reason)
    endStreams(with: peer)
    // An idle session was let go, not lost: the peer's adverts go on where it ended.
    if reason == .sessionIdle {
      let offers = peers[peer]?.offers ?? [:]
      for offer in offers.keys { peers[peer]?.offers[offer]?.source = .advert }
    } else {
      removeOffers(of: peer) { _ in true }
    }
  }

  mutating func receive(_ message: Message, from peer: PeerID, _ time: Time) {
    guard peers[peer]?.isConnected == true else { return }
    switch message {
    case .offer(let offer): receiveOffer(offer, from: peer)
    case .withdraw(let withdraw): receiveWithdraw(withdraw, from: peer)
    case .fetch(let fetch): receiveFetch(fetch, from: peer, time)
    case .payload(let payload): receivePayload(payload, from: peer)
    case .failure(let failure): receiveFailure(failure, from: peer)
    case .continued(let continued): receiveContinued(continued, from: peer)
    case .open(let open): receiveOpen(open, from: peer, time)
    case .opened(let opened): receiveOpened(opened, from: peer)
    case .reset(let reset): receiveReset(reset, from: peer)
    case .hello, .accepted, .refused, .bye, .ping, .pong, .acknowledge, .finish: break
    }
  }

  private mutating func receiveOffer(_ offer: Offer, from id: PeerID) {
    guard var peer = peers[id] else { return }
    guard peer.offers[offer.activity.id] != nil || peer.offers.count < Limits.offersPerPeer else { return }
    peer.version.counter = max(peer.version.counter, offer.counter)
    let known = peer.offers[offer.activity.id]
    let order = known?.record == offer.activity ? known?.order : nil
    peer.offers[offer.activity.id] = PeerOffer(record: offer.activity, source: .session, order: order ?? nextOrder())
    peers[id] = peer
    effects.append(.offersChanged)
  }

  private mutating func receiveWithdraw(_ withdraw: Withdraw, from id: PeerID) {
    guard var peer = peers[id] else { return }
    peer.version.counter = max(peer.version.counter, withdraw.counter)
    peers[id] = peer
    removeOffers(of: id) { $0.record.id == withdraw.activity }
  }

  // MARK: Continuing

  mutating func requestContinuation(_ id: ActivityID, _ client: ClientID, _ user: UserID, _ time: Time) {
    guard let peer = peers.first(where: { mayUse($0.key.team, user) && $0.value.offers[id] != nil })?.key else {
      let isOurs = continued[id]?.user == user
      return effects.append(.fail(client, isOurs ? .alreadyContinued : .activityNotFound))
    }
    guard fetching[id] == nil else { return effects.append(.fail(client, .alreadyContinued)) }
    guard fetching.values.filter({ $0.peer == peer }).count < Limits.fetchesPerPeer else {
      return effects.append(.fail(client, .limitReached))
    }
    fetching[id] = Fetching(peer: peer, user: user, deadline: time.instant + Limits.fetchTime, client: client)
    peers[peer]?.isConnected == true ? sendFetch(id) : effects.append(.connect(peer))
  }

  private mutating func sendFetch(_ id: ActivityID) {
    guard let peer = fetching[id]?.peer, let request = peers[peer]?.nextRequest else { return }
    peers[peer]?.nextRequest += 1
    fetching[id]?.request = request
    effects.append(.send(.fetch(Fetch(request: request, activity: id)), to: peer))
  }

  private func fetch(answeredBy request: UInt64, from peer: PeerID) -> (id: ActivityID, Fetching)? {
    fetching.first { $0.value.peer == peer && $0.value.request == request }.map { ($0.key, $0.value) }
  }

  private mutating func receivePayload(_ payload: Payload, from peer: PeerID) {
    let record = payload.activity
    guard let (id, fetch) = fetch(answeredBy: payload.request, from: peer), id == record.id else {
      // It came too late: whoever asked for it was told that it failed.
      let continued = PeerProtocol.Continued(activity: record.id, delivered: false)
      return effects.append(.send(.continued(continued), to: peer))
    }
    fetching[id] = nil
    effects.append(
      .send(.continued(PeerProtocol.Continued(activity: id, delivered: fetch.client != nil)), to: peer)
    )
    guard let client = fetch.client else { return }
    removeOffers(of: peer) { $0.record.id == id }
    if continued.count >= Self.rememberedContinuations,
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

  private mutating func receiveFailure(_ failure: Failure, from peer: PeerID) {
    guard let (id, fetch) = fetch(answeredBy: failure.request, from: peer) else { return }
    fetching[id] = nil
    if let client = fetch.client { effects.append(.fail(client, failure.reason)) }
  }

  mutating func failFetches(from peer: PeerID, _ reason: Reason, onlyUnsent: Bool = false) {
    for (id, fetch) in fetching where fetch.peer == peer && (!onlyUnsent || fetch.request == nil) {
      fetching[id] = nil
      if let client = fetch.client { effects.append(.fail(client, reason)) }
    }
  }
}

extension ActivityRecord {
  fileprivate init?(_ current: Advert.Current) {
    guard var record = try? ActivityRecord(id: current.id, activityType: current.activityType) else { return nil }
    record.title = current.title.isEmpty ? nil : current.title
    record.supportsContinuationStreams = current.supportsContinuationStreams
    guard let valid = try? record.validated() else { return nil }
    self = valid
  }
}
