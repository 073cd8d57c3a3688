// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The connections with one peer.
@Loop
final class PeerEntry {
  /// For people.
  var name = ""
  /// The connection whose session is ready.
  var connection: PeerConnection?
  /// The other side of this connection; nil if that is a relay.
  var directAddress: SocketAddress? { connection?.isRelayed == true ? nil : connection?.address }
  /// Connections whose session is not ready yet.
  var opening: [PeerConnection] = []
  /// Whether the peer has ended the session in favour of another connection that is not ready here yet.
  var isHandingOver = false
  var dialer: PeerDialer?
  /// The addresses that the last attempt has dialled in vain, and why; and what became of a meeting at a relay.
  var tried: [(place: String, reason: String)] = []
  /// Where it is announced, though not on the link where it is seen. It is not dialled there.
  var elsewhere: [SocketAddress] = []
  /// The connection through a relay whose handshake is not finished.
  var relayed: TLSConnection?
  /// The key to dial with: that of the peer's newest advert; nil for the team's newest.
  var discoveryKey: [UInt8]?

  /// Ends every connection for good. Its streams do not wait for another one.
  func end(_ reason: Reason) {
    cancelDialling()
    opening.forEach { $0.leave(reason) }
    connection?.resetStreams(.streamInterrupted)
    connection?.leave(reason)
  }

  func cancelDialling() {
    dialer?.cancel()
    dialer = nil
    relayed?.finish()
    relayed = nil
  }
}

/// What is known about one peer at a given moment.
@Loop
struct PeerSnapshot {
  /// For people.
  let name: String
  let connection: PeerConnection?
  /// Connections whose session is not ready yet.
  let opening: [PeerConnection]
  let state: ReachabilityCore<SocketAddress>.Peer

  /// Its instances that discovery sees now.
  var instances: [String] { state.instances }
  var isDialling: Bool { state.isDialling }
  /// What the last attempt has tried in vain.
  let tried: [(place: String, reason: String)]
  /// Where it is announced, though not on the link where it is seen.
  let elsewhere: [SocketAddress]
  /// Why the last attempt or session ended; nil while there is a session.
  let reason: Reason?
  /// Where the peer is reached, or might be: HOST:PORT.
  var address: SocketAddress? { connection?.address ?? state.address }
}
