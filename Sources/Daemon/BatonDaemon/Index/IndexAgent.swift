// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import VarlinkServer

/// The program that exchanges a user's search index, and what it has not been told yet. It is told the next thing when
/// it has read the previous one.
@Loop
final class IndexAgent {
  /// The session with a device, and the name of the device.
  struct Session {
    let name: String
    private(set) weak var connection: PeerConnection?

    func isEqual(to other: Session?) -> Bool { other.map { name == $0.name && connection === $0.connection } ?? false }
  }

  private let exchange: Exchange<RegisterIndex>
  private var teams = RegisterIndex.Reply.teams([], beside: [])
  private var toldTeams: RegisterIndex.Reply?
  /// The devices with a session.
  private var peers: [PeerID: Session] = [:]
  /// What it was told of them.
  private var toldPeers: [PeerID: Session] = [:]
  /// The devices of which it must be told something else.
  private var untold: Set<PeerID> = []
  private var messages = IndexInbox()

  init(_ exchange: Exchange<RegisterIndex>) { self.exchange = exchange }

  var user: UserID { exchange.user }

  /// Whether it has to be told more.
  var hasMore: Bool { !exchange.isFinished && (toldTeams != teams || !untold.isEmpty || !messages.isEmpty) }

  func end(_ reason: Reason) { exchange.fail(reason) }

  /// - Parameter teams: The reply that names them.
  func tell(_ teams: RegisterIndex.Reply) {
    self.teams = teams
    flush()
  }

  /// - Parameter peers: All devices with a session for which it is told. What others have sent is dropped.
  func tell(_ peers: [PeerID: Session]) {
    for peer in Set(self.peers.keys).union(peers.keys) { note(peer, peers[peer]) }
    flush()
  }

  /// - Parameter session: The device's session; nil if it has none. What others have sent is dropped.
  func tell(_ peer: PeerID, _ session: Session?) {
    note(peer, session)
    flush()
  }

  private func note(_ peer: PeerID, _ session: Session?) {
    if let earlier = peers[peer], earlier.connection !== session?.connection { messages.remove(peer) }
    peers[peer] = session
    let isTold = session.map { $0.isEqual(to: toldPeers[peer]) } ?? (toldPeers[peer] == nil)
    if isTold { untold.remove(peer) } else { untold.insert(peer) }
  }

  /// Drops the message if too many of the peer wait.
  func deliver(_ message: JSON, from peer: PeerID) {
    messages.add(message, from: peer)
    flush()
  }

  /// Tells it as much as it reads.
  func flush() {
    guard !exchange.isBehind, !exchange.isFinished else { return }
    if toldTeams != teams {
      toldTeams = teams
      exchange.replyContinuing(teams)
    }
    tellPeers()
    while !exchange.isBehind, !exchange.isFinished, let (peer, message) = messages.next() {
      exchange.replyContinuing(.message(message, from: peer.device, of: peer.team.description))
    }
  }

  private func tellPeers() {
    for peer in untold {
      let earlier = toldPeers[peer]
      toldPeers[peer] = peers[peer]
      if let session = peers[peer] {
        tell(peer, session.name, connected: true)
      } else if let earlier {
        tell(peer, earlier.name, connected: false)
      }
    }
    untold = []
  }

  private func tell(_ peer: PeerID, _ name: String, connected: Bool) {
    exchange.replyContinuing(.peer(peer.device, of: peer.team.description, name: name, connected: connected))
  }
}
