import Activity
import EventLoop
import Reachability

/// The connections with one peer.
@Loop
final class PeerEntry {
  /// For people.
  var name = ""
  /// Ready.
  var session: PeerConnection?
  /// Established and not ready.
  var opening: [PeerConnection] = []
  /// The peer has ended the session for another connection that is not ready here yet.
  var isHandingOver = false
  var dialer: PeerDialer?
  /// The key to dial with: the one of its newest advert; nil for the team's newest.
  var discoveryKey: [UInt8]?
  /// By how many seconds its clock is ahead of this machine's, as it said last.
  var clockOffset: Int64?

  /// Leaves every connection, for good: its streams do not wait for another.
  func end(_ reason: Reason) {
    cancelDialling()
    opening.forEach { $0.leave(reason) }
    session?.resetStreams(.streamInterrupted)
    session?.leave(reason)
  }

  func cancelDialling() {
    dialer?.cancel()
    dialer = nil
  }
}

/// What is known of one peer at a moment.
@Loop
struct KnownPeer {
  /// For people.
  let name: String
  let session: PeerConnection?
  /// Established and not ready.
  let opening: [PeerConnection]
  let state: Reachability<SocketAddress>.Peer

  /// Its instances that discovery sees now.
  var instances: [String] { state.instances }
  var isDialling: Bool { state.isDialling }
  /// Why the last attempt or session ended; nil while there is a session.
  var reason: Reason? { state.reason }
  /// Where it is, or may be, reached: HOST:PORT.
  var address: SocketAddress? { session?.address ?? state.address }
}
