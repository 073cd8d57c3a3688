import Activity
import ControlInterface
import EventLoop
import JSONCoding
import VarlinkService

/// The program that exchanges a user's search index, and what it has not been told yet. It is told the next thing when
/// it has read the previous one.
@Loop
final class IndexAgent {
  private let exchange: Exchange<RegisterIndex>
  private var teams: [RegisterIndex.Team] = []
  private var toldTeams: [RegisterIndex.Team]?
  /// The names of the devices with a session.
  private var peers: [PeerID: String] = [:]
  /// What it was told of them.
  private var toldPeers: [PeerID: String] = [:]
  /// The devices among these that have another session since then.
  private var restartedPeers: Set<PeerID> = []
  private var messages = IndexInbox()

  init(_ exchange: Exchange<RegisterIndex>) { self.exchange = exchange }

  var user: UserID { exchange.user }

  /// Whether it has to be told more.
  var hasMore: Bool {
    !exchange.isFinished
      && (toldTeams != teams || toldPeers != peers || !restartedPeers.isEmpty || !messages.isEmpty)
  }

  func end(_ reason: Reason) { exchange.fail(reason) }

  func tell(_ teams: [RegisterIndex.Team]) {
    self.teams = teams
    flush()
  }

  /// - Parameter peers: The names of all devices with a session for which it is told.
  func tell(_ peers: [PeerID: String]) {
    self.peers = peers
    flush()
  }

  func sessionBegan(with peer: PeerID) {
    messages.remove(peer)
    if toldPeers[peer] != nil { restartedPeers.insert(peer) }
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
      exchange.replyContinuing(.teams(teams))
    }
    tellPeers()
    while !exchange.isBehind, !exchange.isFinished, let (peer, message) = messages.next() {
      exchange.replyContinuing(.message(message, from: peer.device, of: peer.team.description))
    }
  }

  private func tellPeers() {
    for (peer, name) in toldPeers where peers[peer] == nil {
      toldPeers[peer] = nil
      messages.remove(peer)
      tell(peer, name, connected: false)
    }
    for (peer, name) in peers where toldPeers[peer] != name || restartedPeers.contains(peer) {
      toldPeers[peer] = name
      tell(peer, name, connected: true)
    }
    restartedPeers = []
  }

  private func tell(_ peer: PeerID, _ name: String, connected: Bool) {
    exchange.replyContinuing(.peer(peer.device, of: peer.team.description, name: name, connected: connected))
  }
}
