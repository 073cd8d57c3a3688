import Activity
import Continuation
import EventLoop
import PeerProtocol
import Systemd

/// Carries out what the `Continuation` decides, and tells it what happens.
@Loop
final class ContinuationShell {
  /// What a team's advert shows from now on.
  var onAnnounce: (@Loop (TeamID, ActivityRecord?, UInt64) -> Void)?
  /// Some user's offers have changed.
  var onOffersChanged: (@Loop () -> Void)?

  let results = StreamResults()
  let counters = Tally()
  let prober: Prober
  var failures = FailedContinuations()
  var log: Log?
  private var machine = Continuation()
  let peers: PeerTable
  private var clients: [ClientID: Client] = [:]
  private var lastClient: UInt64 = 0
  private var events: [Continuation.Event] = []
  private var isHandling = false
  private var offersChanged = false
  private var timer: Timer?
  /// Called when the last open stream has ended.
  private var onStreamsFinished: (@Loop () -> Void)?
  private(set) var streamCount = 0 {
    didSet {
      guard streamCount == 0, let callback = onStreamsFinished else { return }
      onStreamsFinished = nil
      callback()
    }
  }

  init(peers: PeerTable) {
    self.peers = peers
    prober = Prober(peers)
    timer = Timer { [weak self] in self?.handle(.wake) }
    peers.onReady = { [weak self] session, hello in
      guard let self, let own = peers.ownDevice?(session.peer.team) else { return }
      self.handle(.sessionReady(session.peer, hello, isFirst: own < session.peer.device))
    }
    peers.onMessage = { [weak self] session, message in
      guard let self, !self.prober.receive(message, from: session) else { return }
      self.handle(.received(message, from: session.peer))
    }
    peers.onEnd = { [weak self] peer, reason in self?.handle(.sessionEnded(peer, reason)) }
    peers.onConnectFailed = { [weak self] peer, reason in self?.handle(.connectFailed(peer, reason)) }
    peers.onForgotten = { [weak self] peer in self?.handle(.advertLost(peer)) }
  }

  // MARK: What users see

  func offers(for user: UserID) -> [VisibleOffer] { machine.offers(for: user) }

  func currentActivity(of user: UserID) -> ActivityRecord? { machine.currentActivity(of: user) }

  func mayUse(_ team: TeamID, _ user: UserID) -> Bool { machine.mayUse(team, user) }

  // MARK: Clients

  /// Keeps how a client is answered until it was, or has left.
  func add(_ client: Client) -> ClientID {
    lastClient += 1
    let id = ClientID(lastClient)
    clients[id] = client
    return id
  }

  func client(_ id: ClientID) -> Client? { clients[id] }

  func remove(_ client: ClientID) {
    guard clients.removeValue(forKey: client) != nil else { return }
    handle(.clientLeft(client))
  }

  // MARK: Events and effects

  /// Lets the machine decide on `event`. Effects may cause further events; those are decided on afterwards, in order.
  func handle(_ event: Continuation.Event) {
    events.append(event)
    guard !isHandling else { return }
    isHandling = true
    while !events.isEmpty {
      let event = events.removeFirst()
      count(event)
      for effect in machine.handle(event, at: Time.now) {
        count(effect, of: event)
        perform(effect)
      }
    }
    isHandling = false
    if offersChanged {
      offersChanged = false
      onOffersChanged?()
    }
  }

  private func perform(_ effect: Continuation.Effect) {
    switch effect {
    case .announce(let team, let current, let counter): onAnnounce?(team, current, counter)
    case .send(let message, let peer): peers.session(with: peer)?.send(message)
    case .connect(let peer): peers.connect(to: peer)
    case .offersChanged: offersChanged = true
    case .tell(let client, let event): clients[client]?.tell?(event)
    case .succeed(let client): clients.removeValue(forKey: client)?.succeed?()
    case .deliver(let client, let record, let device): clients.removeValue(forKey: client)?.deliver?(record, device)
    case .fail(let client, let reason): clients.removeValue(forKey: client)?.fail(reason)
    case .join(let client, let stream, let sendLimit): join(client, stream, sendLimit)
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func join(_ id: ClientID, _ stream: StreamID, _ sendLimit: UInt64) {
    let client = clients.removeValue(forKey: id)
    guard let session = peers.session(with: stream.peer) else {
      client?.fail(.streamInterrupted)
      return
    }
    guard let client, let join = client.join else {
      // Whoever asked has left.
      return session.send(.reset(Reset(stream: stream.number, reason: .streamReset)))
    }
    guard streamCount < Limits.streams,
      let bridge = session.addStream(stream.number, sendLimit: sendLimit)
    else {
      session.send(.reset(Reset(stream: stream.number, reason: .streamLimitReached)))
      client.fail(.streamLimitReached)
      return
    }
    let token = results.begin(for: client.user)
    streamCount += 1
    streamBegan(token, with: stream.peer)
    bridge.isAbandoned = { [weak self] in self?.results.isAbandoned(token) ?? false }
    bridge.onEnd = { [weak self] reason in
      self?.streamCount -= 1
      self?.streamEnded(token, with: stream.peer, reason)
      self?.results.end(token, reason)
    }
    join(bridge, token)
  }
}

extension ContinuationShell {
  /// Waits until no stream is open, at most until `deadline`; what is open then is reset.
  func finishStreams(by deadline: ContinuousClock.Instant, completion: @escaping @Loop () -> Void) {
    guard streamCount > 0 else { return completion() }
    let timer = Timer { [weak self] in
      self?.peers.sessions.forEach { $0.resetStreams(.shuttingDown) }
    }
    timer.set(deadline)
    onStreamsFinished = {
      timer.set(nil)
      completion()
    }
  }
}

extension Time {
  /// Both clocks now.
  @Loop static var now: Time { Time(instant: Loop.now, date: Loop.clock.date) }
}
