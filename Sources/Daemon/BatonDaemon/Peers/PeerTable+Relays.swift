// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// Peers that a server has told of.
extension PeerTable {
  /// A peer asks this machine to dial it, because it has no session with this machine.
  func askedToDial(_ peer: PeerID) {
    if let connection = connection(with: peer) { connection.probe() } else { connect(to: peer) }
  }

  /// A relay has joined this machine with a peer, which waits for this side to begin.
  ///
  /// - Parameters:
  ///   - descriptor: This object takes ownership.
  ///   - address: The relay's.
  ///   - received: What has already arrived.
  func met(_ peer: PeerID, _ descriptor: Int32, at address: SocketAddress?, received: [UInt8]) {
    guard let tls = makeEngine(for: peer) else { return Sockets.close(descriptor) }
    let entry = entry(of: peer)
    entry.relayed?.finish()
    let connection = TLSConnection(owning: descriptor, address: address, isRelayed: true, tls: tls) {
      [weak self, weak entry] event in
      guard let self, let entry, let connection = entry.relayed else { return }
      switch event {
      case .established:
        entry.relayed = nil
        self.take(connection, peer, isDialler: true)
      case .ended: entry.relayed = nil
      case .frame, .batchEnd, .turnEnd, .violation, .space: break
      }
    }
    entry.relayed = connection
    connection.start(received: received)
  }

  private func makeEngine(for peer: PeerID) -> TLSEngine? {
    guard !isRevoked(peer),
      let context = membership.clientContext(peer.team, discoveryKey: entries[peer]?.discoveryKey)
    else { return nil }
    return try? TLSEngine(context, expecting: peer.device, clockOffset: clocks.best(of: peer))
  }
}
