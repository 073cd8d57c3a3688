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
  var clientContext: (@Loop (TeamID) -> TLSContext?)?
  var hello: (@Loop () -> Hello)?
  /// This machine's Device ID in a team.
  var ownDevice: (@Loop (TeamID) -> DeviceID?)?

  var log: Log?

  private var entries: [PeerID: PeerEntry] = [:]
  /// The side with the greater Device ID waits so long for the other to dial: both discover each other at once.
  private static let courtesy = Duration.milliseconds(500)

  func snapshot() -> [(id: PeerID, entry: PeerEntry)] { entries.map { ($0.key, $0.value) } }

  func session(with peer: PeerID) -> PeerConnection? { entries[peer]?.session }

  var sessions: [PeerConnection] { entries.values.compactMap(\.session) }

  // MARK: Discovery

  /// An instance's advert says that it is the peer's.
  func saw(_ instance: String, of peer: PeerID, name: String) {
    guard entries[peer] != nil || entries.count < Limits.instances else { return }
    let entry = entry(of: peer)
    entry.name = name
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
    guard let context = clientContext?(peer.team), let tls = try? TLSSession(context, expecting: peer.device) else {
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
    guard let hello = hello?(), let own = ownDevice?(peer.team), own != peer.device,
      entries[peer] != nil || entries.count < Limits.instances
    else { return connection.finish() }
    let entry = entry(of: peer)
    guard entry.opening.count < Limits.connectionsPerPeer else { return connection.abandon() }
    let isFirst = own < peer.device
    let session = PeerConnection(connection, peer: peer, isDialler: isDialler, isFirst: isFirst, hello: hello)
    entry.opening.append(session)
    session.onReady = { [weak self, unowned session] hello in self?.ready(session, hello) }
    session.onMessage = { [weak self, unowned session] message in self?.onMessage?(session, message) }
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
    entry.triedInstances = []
    entry.backoff.reset()
    entry.timer.set(nil)
    if let address = session.address, session.isDialler {
      entry.addresses = [address] + entry.addresses.filter { $0 != address }
    }
    log?.info(
      "Connected to a peer",
      [
        "peer": entry.name, "team": session.peer.team.description, "address": session.address?.description ?? "",
      ]
    )
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
    log?.info(
      "Lost a peer",
      ["peer": entry.name, "team": peer.team.description, "reason": reason.rawValue]
    )
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
    guard entry.session == nil, entry.instances.isEmpty, !entry.isDialling, entry.opening.isEmpty else { return }
    entries[peer] = nil
    entry.timer.set(nil)
    onForgotten?(peer)
    onChange?()
  }

  // MARK: The end

  /// Ends everything with the peers of teams that are not among `teams`.
  func keep(_ teams: Set<TeamID>) {
    for (peer, entry) in entries where !teams.contains(peer.team) {
      entry.instances = []
      entry.cancelDialling()
      entry.opening.forEach { $0.leave(.shuttingDown) }
      entry.session?.leave(.shuttingDown)
      forgetIfGone(peer, entry)
    }
  }

  /// Ends everything.
  func close() {
    keep([])
    entries = [:]
  }
}
