import Activity
import Continuation
import EventLoop
import PeerProtocol
import Reachability
import TLS

/// Devices that were removed from their team (Protocol.md sections 3 and 5).
extension PeerTable {
  func isRevoked(_ peer: PeerID) -> Bool { credentials?(peer.team)?.revocations?.names(peer.device) ?? false }

  /// Gives the peer this machine's revocation list and discovery key, where its own are older.
  func tellRevocations(_ session: PeerConnection) {
    guard !isRevoked(session.peer), let credentials = credentials?(session.peer.team),
      let list = credentials.revocations, list.number > session.revocations
    else { return }
    session.revocations = list.number
    session.send(.revocations(Revocations(list: list.der, discoveryKey: credentials.discoveryKey)))
  }

  /// A team has a newer revocation list: ends everything with the devices that it names, and passes it on to the others.
  func revocationsChanged() {
    for (peer, entry) in entries where isRevoked(peer) {
      let isDialled = entry.dialer != nil
      entry.end(.certificateRevoked)
      streams.end(with: peer, .streamInterrupted)
      for instance in machine.peers[peer]?.instances ?? [] { handle(.lost(instance: instance)) }
      handle(.remembered(peer, []))
      if isDialled { handle(.dialFailed(peer, .certificateRevoked)) }
    }
    for session in sessions { tellRevocations(session) }
  }
}
