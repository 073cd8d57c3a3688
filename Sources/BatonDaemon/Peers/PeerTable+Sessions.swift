import Activity
import Continuation
import Discovery
import EventLoop
import PeerProtocol
import Reachability
import Systemd
import TLS

/// The sessions, from an established connection to their end.
extension PeerTable {
  /// Begins a session on an established connection.
  func take(_ connection: TLSConnection, _ peer: PeerID, isDialler: Bool) {
    // The team may have been left during the handshake.
    guard let hello = hello?(peer.team), let own = ownDevice?(peer.team), own != peer.device,
      machine.hasRoom(for: peer), !isRevoked(peer)
    else {
      connection.finish()
      return isDialler ? handle(.dialFailed(peer, .teamNotFound)) : ()
    }
    let entry = entry(of: peer)
    guard entry.opening.count < Limits.connectionsPerPeer, isDialler || conduct(of: peer, { $0.mayConnect() })
    else {
      connection.abandon()
      return isDialler ? handle(.dialFailed(peer, .tooManyConnections)) : ()
    }
    let session = PeerConnection(
      connection,
      peer: peer,
      isDialler: isDialler,
      hello: hello,
      streams: streams,
      budget: conduct(of: peer) { $0.messages }
    )
    entry.opening.append(session)
    handle(.opened(peer, isDialler: isDialler))
    session.onReady = { [weak self, unowned session] hello in self?.ready(session, hello) }
    session.onMessage = { [weak self, unowned session] message in self?.received(message, on: session) }
    session.onEnd = { [weak self, unowned session] reason in self?.ended(session, reason) }
    session.start()
  }

  private func received(_ message: Message, on session: PeerConnection) {
    switch message {
    case .revocations(let list): onRevocations?(session, list)
    case .renamed(let renamed):
      entries[session.peer]?.name = renamed.device
      onMessage?(session, message)
      onChange?()
    case .renew, .renewed, .promote, .promoted, .admitted: onAdministration?(session, message)
    default: onMessage?(session, message)
    }
  }

  private func ready(_ session: PeerConnection, _ hello: Hello) {
    guard let entry = entries[session.peer] else { return session.leave(.internalFailure) }
    entry.opening.removeAll { $0 === session }
    if let other = entry.session {
      guard replaces(session, other, hello) else {
        handle(.openingEnded(session.peer, .duplicateSession, isDialler: session.isDialler))
        return session.leave(.duplicateSession)
      }
      entry.session = session
      other.leave(.duplicateSession)
    }
    entry.session = session
    entry.isHandingOver = false
    entry.name = hello.device
    // The session gives it the newest key.
    entry.discoveryKey = nil
    entry.clockOffset = hello.time.flatMap(Int64.init(exactly:)).map { $0 &- Int64(Loop.clock.date) }
    say(
      "Connected to a peer",
      [
        "peer": entry.name, "team": session.peer.team.description, "address": session.address?.description ?? "",
      ],
      of: session.peer
    )
    handle(.ready(session.peer, address: session.isDialler ? session.address : nil))
    for instance in machine.peers[session.peer]?.instances ?? [] { rank(instance) }
    if !session.isDialler, let port = hello.port, port >= Limits.lowestPort,
      let address = session.address?.with(port: port)
    {
      handle(.told(session.peer, address))
    }
    streams.resume(on: session, epoch: hello.streamEpoch)
    session.revocations = RevocationExchange(number: hello.revocations, digest: hello.revocationDigest)
    tellRevocations(session)
    onMet?(session, hello.device)
    onReady?(session, hello)
    letIdleGo()
  }

  /// Whether a new session replaces the existing one. Both sides decide the same.
  private func replaces(_ new: PeerConnection, _ old: PeerConnection, _ hello: Hello) -> Bool {
    guard hello.epoch == old.hello?.epoch, new.isDialler != old.isDialler, let since = old.readySince,
      since.duration(to: Loop.now) < Limits.crossedDialsTime, let own = ownDevice?(new.peer.team)
    else { return true }
    return new.isDialler == (own < new.peer.device)
  }

  private func ended(_ session: PeerConnection, _ reason: Reason) {
    guard let entry = entries[session.peer] else { return }
    if let index = entry.opening.firstIndex(where: { $0 === session }) {
      entry.opening.remove(at: index)
      if reason == .versionMismatch || reason == .protocolViolation { onRefusal?(session, reason) }
      handle(.openingEnded(session.peer, reason, isDialler: session.isDialler))
    }
    if entry.session === session {
      entry.session = nil
      // The peer keeps the other one of two connections, which is not ready here yet.
      if reason == .duplicateSession, !entry.opening.isEmpty { return entry.isHandingOver = true }
      sessionEnded(session.peer, entry, reason)
    } else if entry.isHandingOver, entry.opening.isEmpty {
      entry.isHandingOver = false
      sessionEnded(session.peer, entry, reason)
    }
  }

  private func sessionEnded(_ peer: PeerID, _ entry: PeerEntry, _ reason: Reason) {
    say(
      "Lost a peer",
      ["peer": entry.name, "team": peer.team.description, "reason": reason.rawValue],
      of: peer
    )
    handle(.ended(peer, reason)) { onEnd?(peer, reason) }
  }

  private func conduct<T>(of peer: PeerID, _ body: (inout PeerConduct) -> T) -> T {
    var conduct = conducts[peer] ?? PeerConduct()
    defer { conducts[peer] = conduct }
    return body(&conduct)
  }

  private func say(_ message: String, _ fields: KeyValuePairs<String, String>, of peer: PeerID) {
    conduct(of: peer) { $0.log(message, fields, of: entries[peer]?.name ?? "", in: log) }
  }

  /// Logs a line about a stream with a peer, unless there were too many.
  func sayOfStream(_ message: String, _ fields: KeyValuePairs<String, String>, with peer: PeerID) {
    conduct(of: peer) { $0.logStream(message, fields, of: entries[peer]?.name ?? "", in: log) }
  }

  /// Keeps at most `Limits.warmPeers` sessions. The one that was not used for longest goes, of those without streams, from
  /// the user who has the most: devices of one user, who may have made up any number, end no session of another user.
  private func letIdleGo() {
    let sessions = sessions
    guard sessions.count > Limits.warmPeers else { return }
    sessions.surplus(of: { owner?($0.peer.team) }, where: { $0.streamCount == 0 }, by: \.lastUse)?.leave(.sessionIdle)
  }
}
