// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import Systemd
import TLS

/// The connections with peers, from the handshake's end to the session's.
extension PeerTable {
  /// Begins a session on an established connection.
  func take(_ transport: TLSConnection, _ peer: PeerID, isDialler: Bool) {
    // The team may have been left during the handshake.
    guard let own = membership.device(in: peer.team), own != peer.device,
      machine.hasRoom(for: peer), !isRevoked(peer)
    else {
      transport.finish()
      return isDialler ? handle(.dialFailed(peer, .teamNotFound)) : ()
    }
    let entry = entry(of: peer)
    guard entry.opening.count < Limits.connectionsPerPeer, isDialler || conduct(of: peer, { $0.mayConnect() })
    else {
      transport.abandon()
      return isDialler ? handle(.dialFailed(peer, .tooManyConnections)) : ()
    }
    let connection = PeerConnection(
      transport,
      peer: peer,
      isDialler: isDialler,
      hello: host.hello(in: peer.team),
      streams: streams,
      budget: conduct(of: peer) { $0.messages }
    ) { [weak self] connection, event in self?.handle(event, of: connection) }
    entry.opening.append(connection)
    handle(.opened(peer, isDialler: isDialler))
    connection.start()
  }

  private func handle(_ event: PeerConnection.Event, of connection: PeerConnection) {
    switch event {
    case .ready(let hello): ready(connection, hello)
    case .message(let message): host.received(message, on: connection)
    case .ended(let reason): ended(connection, reason)
    }
  }

  private func ready(_ connection: PeerConnection, _ own: Hello) {
    var hello = own
    guard let entry = entries[connection.peer] else { return connection.leave(.internalFailure) }
    entry.opening.removeAll { $0 === connection }
    if let other = entry.connection {
      guard replaces(connection, other, hello) else {
        handle(.openingEnded(connection.peer, .duplicateSession, isDialler: connection.isDialler))
        return connection.leave(.duplicateSession)
      }
      entry.connection = connection
      other.leave(.duplicateSession)
    }
    entry.connection = connection
    entry.isHandingOver = false
    entry.elsewhere = []
    refusals.otherVersions.remove(machine.peers[connection.peer]?.lasting ?? [])
    // Every part gets the name that people can use.
    hello.device = names.said(own.device, by: connection.peer)
    names.met(CollectionOfOne(connection.peer))
    entry.name = hello.device
    // The session gives it the newest key.
    entry.discoveryKey = nil
    clocks.said(hello.time, by: connection.peer, at: Int64(Loop.clock.date))
    say(
      "Connected to a peer",
      [
        "peer": entry.name, "team": connection.peer.team.description, "address": connection.address?.description ?? "",
      ],
      of: connection.peer
    )
    handle(
      .ready(
        connection.peer,
        address: connection.isDialler && !connection.isRelayed ? connection.address : nil,
        isDialler: connection.isDialler,
        isRelayed: connection.isRelayed
      )
    )
    for instance in machine.peers[connection.peer]?.instances ?? [] { rank(instance) }
    if !connection.isDialler, !connection.isRelayed, let port = hello.port, port >= Limits.lowestPort,
      let address = connection.address?.with(port: port)
    {
      handle(.told(connection.peer, address))
    }
    if connection.isRelayed { streams.counters.count(.relayedSessions, for: .team(connection.peer.team)) }
    if let hosts = hello.addresses, let port = hello.port {
      said(connection.peer, SaidAddresses.accepted(hosts, port: port))
    }
    streams.resume(on: connection, epoch: hello.streamEpoch)
    connection.revocations = RevocationExchange(number: hello.revocations, digest: hello.revocationDigest)
    tellRevocations(connection)
    host.sessionBegan(on: connection, hello)
    letIdleGo()
  }

  /// Whether a new session replaces the existing one. Both sides come to the same decision.
  private func replaces(_ new: PeerConnection, _ old: PeerConnection, _ hello: Hello) -> Bool {
    guard hello.epoch == old.hello?.epoch, let since = old.readySince,
      since.duration(to: Loop.now) < Limits.crossedDialsTime
    else { return true }
    if new.isRelayed != old.isRelayed { return old.isRelayed }
    guard new.isDialler != old.isDialler, let own = membership.device(in: new.peer.team) else { return true }
    return new.isDialler == (own < new.peer.device)
  }

  private func ended(_ connection: PeerConnection, _ reason: Reason) {
    guard let entry = entries[connection.peer] else { return }
    if let index = entry.opening.firstIndex(where: { $0 === connection }) {
      entry.opening.remove(at: index)
      if reason == .versionMismatch || reason == .protocolViolation {
        refusals.refused(reason, connection.address, isCounted: !connection.isDialler)
      }
      handle(.openingEnded(connection.peer, reason, isDialler: connection.isDialler))
    }
    if entry.connection === connection {
      entry.connection = nil
      // The peer keeps the other one of two connections, which is not ready here yet.
      if reason == .duplicateSession, !entry.opening.isEmpty { return entry.isHandingOver = true }
      sessionEnded(connection.peer, entry, reason)
    } else if entry.isHandingOver, entry.opening.isEmpty {
      entry.isHandingOver = false
      sessionEnded(connection.peer, entry, reason)
    }
  }

  private func sessionEnded(_ peer: PeerID, _ entry: PeerEntry, _ reason: Reason) {
    say(
      "Lost a peer",
      ["peer": entry.name, "team": peer.team.description, "reason": reason.rawValue],
      of: peer
    )
    names.met(CollectionOfOne(peer))
    handle(.ended(peer, reason)) { host.sessionEnded(with: peer, reason) }
    if reason == .teamLeft { forget(peer) }
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

  /// Keeps at most ``Limits/sessions``. If there are more, ends the one without streams that was unused for
  /// longest, of the user who has the most sessions. So devices of one user, who may have made up any number, end no
  /// session of another user.
  private func letIdleGo() {
    guard machine.peers.sessionCount > Limits.sessions else { return }
    connections.surplus(of: { membership.owner(of: $0.peer.team) }, where: { $0.streamCount == 0 }, by: \.lastUse)?
      .leave(
        .sessionIdle
      )
  }
}
