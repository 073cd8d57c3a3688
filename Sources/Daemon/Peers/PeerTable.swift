import Activity
import Continuation
import EventLoop
import PeerProtocol
import Systemd
import TLS

/// Every other device that is known: how it can be reached, and the one session with it (Protocol.md section 5).
@Loop
final class PeerTable {
  /// What becomes of the sessions.
  var onReady: (@Loop (PeerConnection, Hello) -> Void)?
  var onMessage: (@Loop (PeerConnection, Message) -> Void)?
  var onEnd: (@Loop (PeerID, Reason) -> Void)?
  /// A peer could not be reached.
  var onConnectFailed: (@Loop (PeerID, Reason) -> Void)?
  /// No advert of the peer is there any more, nor a session.
  var onForgotten: (@Loop (PeerID) -> Void)?
  /// The state of some peer has changed.
  var onChange: (@Loop () -> Void)?
  /// Asks discovery for the addresses of an instance; ``resolved(instance:_:)`` answers.
  var resolve: (@Loop (String) -> Void)?
  /// What this machine is in handshakes of a team, and what it says of itself.
  var clientContext: (@Loop (TeamID, _ discoveryKey: [UInt8]?) -> TLSContext?)?
  var hello: (@Loop (TeamID) -> Hello)?
  /// This machine's Device ID in a team.
  var ownDevice: (@Loop (TeamID) -> DeviceID?)?
  /// This machine's credentials in a team, with the newest revocation list that is here.
  var credentials: (@Loop (TeamID) -> Credentials?)?
  /// A session with a peer is ready: what it calls itself.
  var onMet: (@Loop (PeerID, _ name: String) -> Void)?
  /// A peer has given a revocation list.
  var onRevocations: (@Loop (PeerConnection, Revocations) -> Void)?

  var log: Log?
  let streams = StreamTable()

  private var entries: [PeerID: PeerEntry] = [:]
  /// The side with the greater Device ID waits so long for the other to dial: both discover each other at once.
  private static let courtesy = Duration.milliseconds(500)

  func snapshot() -> [(id: PeerID, entry: PeerEntry)] { entries.map { ($0.key, $0.value) } }

  func session(with peer: PeerID) -> PeerConnection? { entries[peer]?.session }

  var sessions: [PeerConnection] { entries.values.compactMap(\.session) }

  // MARK: Streams

  /// A new stream on the peer's session, or waiting for the next one.
  ///
  /// - Returns: nil where the peer has too many.
  func addStream(_ stream: StreamID, sendLimit: UInt64) -> StreamBridge? {
    if let session = session(with: stream.peer) { return session.addStream(stream.number, sendLimit: sendLimit) }
    guard streams.count(with: stream.peer) < Limits.streamsPerPeer else { return nil }
    let bridge = StreamBridge(stream, sendLimit: sendLimit, connection: nil, table: streams)
    bridge.suspend()
    return bridge
  }

  /// Every stream, to be left to the daemon after this one.
  func takeStreams() -> [StreamBridge] { sessions.flatMap(\.openStreams) + streams.takeAll() }

  func resetStreams(_ reason: Reason) {
    sessions.forEach { $0.resetStreams(reason) }
    streams.endAll(reason)
  }

  // MARK: Discovery

  /// An instance's advert says that it is the peer's.
  ///
  /// - Parameter discoveryKey: The key that it was sealed with: it is the newest that the peer has.
  func saw(_ instance: String, of peer: PeerID, name: String, discoveryKey: [UInt8]) {
    guard !isRevoked(peer), entries[peer] != nil || entries.count < Limits.instances else { return }
    let entry = entry(of: peer)
    // A device that was removed can still seal with a key of before: a name is not taken from it.
    if entry.name.isEmpty || credentials?(peer.team)?.discoveryKey == discoveryKey { entry.name = name }
    entry.discoveryKeys[instance] = discoveryKey
    guard !entry.instances.contains(instance) else { return }
    entry.instances.append(instance)
    entry.backoff.reset()
    guard entry.session == nil, !entry.isDialling else { return }
    let isFirst = ownDevice?(peer.team).map { $0 < peer.device } ?? true
    entry.timer.set(isFirst ? Loop.now : Loop.now + Self.courtesy)
    onChange?()
  }

  func lost(_ instance: String) {
    for (peer, entry) in entries {
      guard let index = entry.instances.firstIndex(of: instance) else { continue }
      entry.instances.remove(at: index)
      entry.discoveryKeys[instance] = nil
      forgetIfGone(peer, entry)
    }
  }

  func resolved(instance: String, _ addresses: [SocketAddress]) {
    for (peer, entry) in entries where entry.awaitedInstance == instance {
      entry.awaitedInstance = nil
      if !addresses.isEmpty { entry.addresses = addresses }
      dial(peer, entry)
    }
  }

  /// Reaches the peer now, whatever the schedule says: a user waits for it.
  func connect(to peer: PeerID) {
    guard let entry = entries[peer] else { return onConnectFailed?(peer, .peerNotFound) ?? () }
    guard entry.session == nil, !entry.isDialling else { return }
    entry.timer.set(nil)
    begin(peer, entry)
  }

  // MARK: Dialling

  private func entry(of peer: PeerID) -> PeerEntry {
    if let entry = entries[peer] { return entry }
    let entry = PeerEntry { [weak self] in
      guard let self, let entry = self.entries[peer] else { return }
      self.begin(peer, entry)
    }
    entries[peer] = entry
    return entry
  }

  private func begin(_ peer: PeerID, _ entry: PeerEntry) {
    guard entry.session == nil, !entry.isDialling else { return }
    guard let instance = entry.nextInstance else { return dial(peer, entry) }
    entry.awaitedInstance = instance
    entry.discoveryKey = entry.discoveryKeys[instance]
    entry.triedInstances.insert(instance)
    resolve?(instance)
    onChange?()
  }

  private func dial(_ peer: PeerID, _ entry: PeerEntry) {
    guard entry.session == nil, entry.dialer == nil, entry.dialled == nil else { return }
    guard !entry.addresses.isEmpty else { return failed(peer, entry, .peerUnreachable) }
    entry.dialer = Dialer(entry.addresses) { [weak self] descriptor, address in
      entry.dialer = nil
      guard let self, let descriptor else {
        self?.failed(peer, entry, .peerUnreachable)
        return
      }
      self.shakeHands(peer, entry, descriptor, address)
    }
    onChange?()
  }

  private func shakeHands(_ peer: PeerID, _ entry: PeerEntry, _ descriptor: Int32, _ address: SocketAddress?) {
    guard let context = clientContext?(peer.team, entry.discoveryKey),
      let tls = try? TLSSession(context, expecting: peer.device)
    else {
      Sockets.close(descriptor)
      return failed(peer, entry, .internalFailure)
    }
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls)
    entry.dialled = connection
    connection.onEnd = { [weak self] reason in
      entry.dialled = nil
      self?.failed(peer, entry, reason)
    }
    connection.onEstablished = { [weak self] in
      entry.dialled = nil
      guard let self else { return connection.finish() }
      self.take(connection, peer, isDialler: true)
    }
    connection.start()
  }

  private func failed(_ peer: PeerID, _ entry: PeerEntry, _ reason: Reason) {
    guard entry.session == nil else { return }
    entry.reason = reason
    if !entry.triedInstances.isEmpty, entry.nextInstance != nil { return begin(peer, entry) }
    entry.triedInstances = []
    // The peer's own connection may become the session.
    guard entry.opening.isEmpty else { return onChange?() ?? () }
    entry.instances.isEmpty ? entry.timer.set(nil) : dialLater(entry)
    onConnectFailed?(peer, reason)
    forgetIfGone(peer, entry)
    onChange?()
  }

  // MARK: Sessions

  /// Begins a session on an established connection.
  func take(_ connection: TLSConnection, _ peer: PeerID, isDialler: Bool) {
    // A team may be left while one of its devices shakes hands.
    guard let hello = hello?(peer.team), let own = ownDevice?(peer.team), own != peer.device, !isRevoked(peer),
      entries[peer] != nil || entries.count < Limits.instances
    else { return connection.finish() }
    let entry = entry(of: peer)
    guard entry.opening.count < Limits.connectionsPerPeer else { return connection.abandon() }
    let session = PeerConnection(connection, peer: peer, isDialler: isDialler, hello: hello, streams: streams)
    entry.opening.append(session)
    session.onReady = { [weak self, unowned session] hello in self?.ready(session, hello) }
    session.onMessage = { [weak self, unowned session] message in self?.received(message, on: session) }
    session.onEnd = { [weak self, unowned session] reason in self?.ended(session, reason) }
    session.start()
  }

  private func ready(_ session: PeerConnection, _ hello: Hello) {
    guard let entry = entries[session.peer] else { return session.leave(.internalFailure) }
    entry.opening.removeAll { $0 === session }
    if let other = entry.session {
      guard replaces(session, other, hello) else { return session.leave(.duplicateSession) }
      entry.session = session
      other.leave(.duplicateSession)
    }
    entry.session = session
    entry.isHandingOver = false
    entry.name = hello.device
    entry.reason = nil
    // In the session it gets the newest.
    entry.discoveryKey = nil
    entry.triedInstances = []
    entry.backoff.reset()
    entry.timer.set(nil)
    if let address = session.address, session.isDialler {
      entry.addresses = [address] + entry.addresses.filter { $0 != address }
    }
    log?.info("Connected to a peer", ["peer": entry.name, "address": session.address?.description ?? ""])
    streams.resume(on: session, epoch: hello.streamEpoch)
    session.revocations = hello.revocations
    tellRevocations(session)
    onMet?(session.peer, hello.device)
    onReady?(session, hello)
    letIdleGo()
    onChange?()
  }

  /// Whether a new session takes the place of the one there is. Both sides decide the same.
  private func replaces(_ new: PeerConnection, _ old: PeerConnection, _ hello: Hello) -> Bool {
    guard hello.epoch == old.hello?.epoch, new.isDialler != old.isDialler, let since = old.readySince,
      since.duration(to: Loop.now) < Limits.crossedDialsTime, let own = ownDevice?(new.peer.team)
    else { return true }
    return new.isDialler == (own < new.peer.device)
  }

  private func ended(_ session: PeerConnection, _ reason: Reason) {
    guard let entry = entries[session.peer] else { return }
    entry.opening.removeAll { $0 === session }
    if entry.session === session {
      entry.session = nil
      // The peer keeps the other of two connections, which is not ready here yet.
      if reason == .duplicateSession, !entry.opening.isEmpty { return entry.isHandingOver = true }
      sessionEnded(session.peer, entry, reason)
    } else if entry.isHandingOver, entry.opening.isEmpty {
      entry.isHandingOver = false
      sessionEnded(session.peer, entry, reason)
    } else if session.readySince == nil, entry.session == nil, entry.opening.isEmpty, !entry.isDialling,
      session.isDialler || entry.timer.deadline == nil
    {
      return failed(session.peer, entry, reason)
    }
    entry.reason = entry.session == nil ? reason : nil
    forgetIfGone(session.peer, entry)
    onChange?()
  }

  private func dialLater(_ entry: PeerEntry) {
    entry.timer.set(Loop.now + entry.backoff.next())
  }

  private func sessionEnded(_ peer: PeerID, _ entry: PeerEntry, _ reason: Reason) {
    log?.info("Lost a peer", ["peer": entry.name, "reason": reason.rawValue])
    onEnd?(peer, reason)
    if !entry.instances.isEmpty, reason != .sessionIdle { dialLater(entry) }
  }

  /// Keeps at most `Limits.warmPeers` sessions: the one without streams that was not used for longest goes.
  private func letIdleGo() {
    let sessions = sessions
    guard sessions.count > Limits.warmPeers else { return }
    sessions.filter { $0.streamCount == 0 }.min { $0.lastUse < $1.lastUse }?.leave(.sessionIdle)
  }

  private func forgetIfGone(_ peer: PeerID, _ entry: PeerEntry) {
    guard entry.session == nil, entry.instances.isEmpty, !entry.isDialling, entry.opening.isEmpty,
      streams.count(with: peer) == 0
    else { return }
    entries[peer] = nil
    streams.forget(peer)
    entry.timer.set(nil)
    onForgotten?(peer)
    onChange?()
  }

  // MARK: Revocation

  private func isRevoked(_ peer: PeerID) -> Bool {
    credentials?(peer.team)?.revocations?.names(peer.device) ?? false
  }

  private func received(_ message: Message, on session: PeerConnection) {
    if case .revocations(let list) = message { onRevocations?(session, list) } else { onMessage?(session, message) }
  }

  /// Gives the peer this machine's revocation list and discovery key, where its own are older.
  private func tellRevocations(_ session: PeerConnection) {
    guard !isRevoked(session.peer), let credentials = credentials?(session.peer.team),
      let list = credentials.revocations, list.number > session.revocations
    else { return }
    session.revocations = list.number
    session.send(.revocations(Revocations(list: list.der, discoveryKey: credentials.discoveryKey)))
  }

  /// A team has a newer revocation list: ends everything with the devices that it names, and passes it on to the others.
  func revocationsChanged() {
    for (peer, entry) in entries where isRevoked(peer) { end(peer, entry, .certificateRevoked) }
    for session in sessions { tellRevocations(session) }
  }

  // MARK: The end

  /// Ends everything with the peers of teams that are not among `teams`.
  func keep(_ teams: Set<TeamID>) {
    for (peer, entry) in entries where !teams.contains(peer.team) { end(peer, entry, .shuttingDown) }
  }

  private func end(_ peer: PeerID, _ entry: PeerEntry, _ reason: Reason) {
    entry.instances = []
    entry.discoveryKeys = [:]
    entry.cancelDialling()
    entry.opening.forEach { $0.leave(reason) }
    entry.session?.resetStreams(.streamInterrupted)
    entry.session?.leave(reason)
    streams.end(with: peer, .streamInterrupted)
    forgetIfGone(peer, entry)
  }

  /// Ends everything.
  func close() {
    keep([])
    entries = [:]
  }
}
