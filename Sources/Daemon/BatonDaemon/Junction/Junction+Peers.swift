// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

extension Junction: PeerListenerHost {
  func wasMet(at address: SocketAddress) -> Bool {
    daemon.peers.wasMet(at: address) || daemon.admission.wasMet(at: address)
  }

  func accepted(_ connection: TLSConnection) {
    switch connection.tls.application {
    case .join: daemon.admission.take(connection)
    case .peer:
      guard let team = connection.tls.team, let device = connection.tls.peer else { return connection.finish() }
      daemon.peers.take(connection, PeerID(team: team, device: device), isDialler: false)
    }
  }

  func portMoved() {
    daemon.announcer.portMoved()
    daemon.report.changed()
  }
}

extension Junction: PeerTableHost {
  func hello(in team: TeamID) -> Hello { daemon.hello(in: team) }

  var awaitedPeers: Set<PeerID> { daemon.shell.awaitedPeers.union(daemon.peers.streams.awaitedPeers) }

  func askToDial(_ peer: PeerID) { daemon.rendezvous.askToDial(peer) }

  func meet(_ peer: PeerID) { daemon.meetings.meet(peer) }

  func stopMeeting(_ peer: PeerID) { daemon.meetings.stop(peer) }

  func sessionBegan(on connection: PeerConnection, _ hello: Hello) {
    if let certificate = connection.certificate {
      // The label is for people of this machine; the list of members has what the device calls itself.
      let name = daemon.peers.names.claimed(by: connection.peer) ?? hello.device
      daemon.membership.met(connection.peer, name: name, certificate: certificate)
    }
    daemon.administration.began(connection)
    daemon.shell.sessionBegan(with: connection.peer, hello)
    daemon.index.peerChanged(connection.peer)
  }

  func received(_ message: Message, on connection: PeerConnection) {
    switch message {
    case .session(let message): received(message, on: connection)
    case .stream(let message): daemon.shell.handle(.receivedOfStream(message, from: connection.peer))
    case .handoff(let message): daemon.shell.handle(.received(message, from: connection.peer))
    case .team(let message): daemon.administration.receive(message, from: connection)
    case .index(let message): daemon.index.received(message, from: connection.peer)
    }
  }

  private func received(_ message: SessionMessage, on connection: PeerConnection) {
    switch message {
    case .probe(let probe): daemon.prober.received(probe, on: connection)
    case .probed(let probed): daemon.prober.received(probed, from: connection.peer)
    case .renamed(let renamed): daemon.peers.received(renamed, on: connection)
    // `PeerSession` delivers none of these.
    case .hello, .accepted, .refused, .bye, .ping, .pong: break
    }
  }

  func renamed(_ peer: PeerID, _ name: String) {
    daemon.shell.handle(.renamed(peer, name))
    daemon.index.peerChanged(peer)
  }

  func sessionEnded(with peer: PeerID, _ reason: Reason) {
    daemon.shell.handle(.sessionEnded(peer, reason))
    daemon.administration.ended(peer)
    daemon.index.peerChanged(peer)
  }

  func connectFailed(_ peer: PeerID, _ reason: Reason) { daemon.shell.handle(.connectFailed(peer, reason)) }

  func peerForgotten(_ peer: PeerID) { daemon.shell.handle(.advertLost(peer)) }

  func peersChanged() { daemon.control.peersChanged() }
}

extension Junction: ReturnVisitsHost {
  func resolve(_ instance: String) {
    guard let addresses = daemon.rendezvous.addresses(of: instance) else { return daemon.announcer.resolve(instance) }
    // Later, because whoever asks does not expect the answer before.
    Task { @Loop [weak daemon = daemon] in daemon?.peers.resolved(instance: instance, addresses) }
  }

  func makeEngine(toVisit team: TeamID, isSecondTry: Bool) -> TLSEngine? {
    daemon.peers.makeEngine(toVisit: team, isSecondTry: isSecondTry)
  }

  func visited(_ team: TeamID, _ connection: TLSConnection) { daemon.peers.visited(team, connection) }

  func visitReplaced(_ instance: String) { daemon.peers.rank(instance) }
}
