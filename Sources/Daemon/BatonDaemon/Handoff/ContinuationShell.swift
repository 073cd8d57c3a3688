// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd

/// Carries out what `ContinuationCore` decides, and reports events to it.
@Loop
final class ContinuationShell {
  let results: StreamResults
  let counters: Tally
  let log: Log
  var failures = FailedContinuations()
  /// Lines about failed continuations. Any user can make continuations fail as often as they like.
  var failureLines: [UserID: LineLimit] = [:]
  private var machine: ContinuationCore
  let peers: PeerTable
  private let announcer: Announcer
  private let offerWatchers: Watchers
  let clients = WaitingClients()
  private let runner = MachineRunner<ContinuationCore.Event>()
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

  /// - Parameters:
  ///   - offerWatchers: Who is told when the offers for some user have changed.
  ///   - epoch: The epoch of this start of the daemon.
  ///   - openedCount: How many streams were opened under the epoch of the stream numbers that peers are told.
  init(
    _ peers: PeerTable,
    _ announcer: Announcer,
    offerWatchers: Watchers,
    epoch: UInt64,
    openedCount: UInt32,
    counters: Tally,
    log: Log
  ) {
    self.peers = peers
    self.announcer = announcer
    self.offerWatchers = offerWatchers
    self.counters = counters
    self.log = log
    results = StreamResults(epoch: epoch)
    machine = ContinuationCore(openedCount: openedCount, epoch: epoch)
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  // MARK: What users see

  func offers(for user: UserID) -> [VisibleOffer] { machine.offers(for: user) }

  /// See `ContinuationCore.isHere(_:for:at:)`.
  func isHere(_ offer: VisibleOffer, for user: UserID) -> Bool { machine.isHere(offer, for: user, at: Loop.now) }

  /// - Parameter device: See `ContinuationCore.offer(_:from:for:)`.
  func offer(_ id: ActivityID, from device: DeviceID?, for user: UserID) -> VisibleOffer? {
    machine.offer(id, from: device, for: user)
  }

  func currentActivity(of user: UserID) -> ActivityRecord? { machine.currentActivity(of: user) }

  /// The peers for whose next session something waits.
  var awaitedPeers: Set<PeerID> { machine.awaitedPeers }

  /// Why what the user holds is not offered at the moment.
  func withholding(from user: UserID) -> Reason? { machine.withholding(from: user) }

  func mayUse(_ team: TeamID, _ user: UserID) -> Bool { machine.mayUse(team, user) }

  // MARK: Peers

  /// Ends what was sent to devices that were removed from their teams.
  func endRemovedRecipients(isRemoved: (PeerID) -> Bool) {
    for peer in machine.recipients.filter(isRemoved) { handle(.deviceRemoved(peer)) }
  }

  func sessionBegan(with peer: PeerID, _ hello: Hello) {
    guard let own = peers.membership.device(in: peer.team) else { return }
    handle(.sessionReady(peer, hello, isFirst: own < peer.device))
  }

  // MARK: Clients

  /// Keeps a client until it has been answered or has left.
  func add(_ client: Client) -> ClientID {
    clients.add(client)
  }

  func remove(_ client: ClientID) {
    if clients.left(client) { handle(.clientLeft(client)) }
  }

  // MARK: Events and effects

  /// Lets the machine decide on `event`. Effects can cause further events, which are handled afterwards, in order.
  func handle(_ event: ContinuationCore.Event) {
    let isOver = runner.run(event) { event in
      count(event)
      for effect in machine.handle(event, at: Time.now) {
        count(effect, of: event)
        perform(effect)
      }
    }
    guard isOver, offersChanged else { return }
    offersChanged = false
    offerWatchers.changed()
  }

  private func perform(_ effect: ContinuationCore.Effect) {
    switch effect {
    case .announce(let team, let current, let counter): announcer.announce(team, current, counter: counter)
    case .send(let message, let peer):
      let connection = peers.connection(with: peer)
      connection?.send(.handoff(message))
      if message.isAwaited { connection?.flush() }
    case .sendOfStream(let message, let peer): peers.connection(with: peer)?.send(.stream(message))
    case .connect(let peer): peers.connect(to: peer)
    case .probe(let peer): peers.connection(with: peer)?.probe()
    case .offersChanged: offersChanged = true
    case .tell(let client, let event): clients.tell(client, event)
    case .succeed(let client): clients.answer(client, .done)
    case .deliver(let client, let record, let device, let origin):
      clients.answer(client, .activity(record, device: device, origin: origin))
    case .fail(let client, let reason): clients.answer(client, .failure(reason))
    case .join(let client, let stream, let limits): join(client, stream, limits)
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func join(_ id: ClientID, _ stream: StreamID, _ limits: FirstLimits) {
    let connection = peers.connection(with: stream.peer)
    guard let user = clients[id]?.user else {
      // The client has left.
      connection?.send(Reset(stream: stream.number, reason: .streamReset))
      return
    }
    let own = results.runningCount(of: user)
    guard peers.streams.memory.budget.share.allows(user, own: own, all: streamCount),
      let bridge = peers.addStream(stream, of: user, limits)
    else {
      connection?.send(Reset(stream: stream.number, reason: .streamLimitReached))
      return clients.answer(id, .failure(.streamLimitReached))
    }
    let token = results.begin(for: user)
    follow(bridge, token)
    clients.answer(id, .stream(bridge, token: token))
  }

  private func follow(_ bridge: StreamBridge, _ token: String) {
    streamCount += 1
    bridge.token = token
    let peer = bridge.id.peer
    streamBegan(token, with: peer)
    results.onAbandoned(token) { [weak bridge] in bridge?.appLeft() }
    bridge.isAwaited = { [weak self] in self?.results.isAwaited(token) ?? false }
    bridge.isAbandoned = { [weak self] in self?.results.isAbandoned(token) ?? false }
    bridge.onEnd = { [weak self] reason in
      self?.streamCount -= 1
      self?.streamEnded(token, with: peer, reason)
      self?.results.end(token, reason)
    }
  }
}

extension ContinuationShell {
  /// Waits until no stream is open, but at most until `deadline`.
  ///
  /// - Parameter giveUp: Ends the streams that are still open then.
  func finishStreams(
    by deadline: ContinuousClock.Instant,
    giveUp: @escaping @Loop () -> Void,
    completion: @escaping @Loop () -> Void
  ) {
    guard streamCount > 0 else { return completion() }
    let timer = Timer(giveUp)
    timer.set(deadline)
    onStreamsFinished = {
      timer.set(nil)
      completion()
    }
  }
}

// MARK: Streams that outlive a daemon

extension ContinuationShell {
  /// How many streams this daemon has opened.
  var openedCount: UInt32 { machine.openedCount }

  /// Continues a stream of the previous daemon.
  func restore(_ saved: SavedStream, socket: Int32) {
    guard mayUse(saved.id.peer.team, saved.user), streamCount < peers.streams.memory.budget.share.total,
      peers.streams.count(with: saved.id.peer) < peers.streams.memory.budget.streamsPerPeer
    else { return Sockets.close(socket) }
    let bridge = StreamBridge(saved, table: peers.streams)
    results.restore(saved.token, for: saved.user)
    results.onAsked(saved.token) { [weak bridge] in bridge?.appAsked() }
    follow(bridge, saved.token)
    bridge.attach(socket, early: saved.early)
  }

  /// Releases as many streams as can be kept, without ending them, and ends the others.
  func leaveStreams() -> [(SavedStream, socket: Int32)] {
    var left: [(SavedStream, socket: Int32)] = []
    for bridge in peers.takeStreams() {
      if left.count < Limits.keptStreams, let user = results.user(of: bridge.token),
        let saved = bridge.leave(user: user, isAwaited: results.isAwaited(bridge.token))
      {
        left.append(saved)
      } else {
        bridge.reset(.shuttingDown)
      }
    }
    streamCount -= left.count
    return left
  }
}

extension Time {
  /// The present time by both clocks.
  @Loop static var now: Time { Time(instant: Loop.now, date: Loop.clock.date) }
}
