// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// What is known about peers, and why those without a session have none.
extension PeerTable {
  func snapshot() -> [(id: PeerID, entry: PeerSnapshot)] {
    machine.peers.filter(\.value.isKnown).map { ($0.key, known($0.key, $0.value)) }
  }

  /// A peer that is found now, or was met and may be dialled. Nil if neither.
  func known(_ id: PeerID) -> PeerSnapshot? { machine.peers[id].map { known(id, $0) } }

  private func known(_ id: PeerID, _ state: Machine.Peer) -> PeerSnapshot {
    let entry = entries[id]
    return PeerSnapshot(
      name: entry?.name ?? "",
      connection: entry?.connection,
      opening: entry?.opening ?? [],
      state: state,
      tried: entry?.tried ?? [],
      elsewhere: entry?.elsewhere ?? [],
      reason: reason(of: state)
    )
  }

  /// If a peer has called this machine and they share no version of the protocol, that says more than whether this
  /// machine reaches the peer.
  private func reason(of state: Machine.Peer) -> Reason? {
    guard state.readySince == nil else { return state.reason }
    return state.lasting.contains { refusals.otherVersions.contains($0) } ? .versionMismatch : state.reason
  }

  /// Why a machine that is not seen is away, if it has said so where it was met. That it speaks another version is not
  /// proved.
  func reasonAway(_ peer: PeerID) -> Reason? {
    guard let reason = known(peer)?.reason else { return nil }
    return [.versionMismatch, .certificateExpired, .certificateRevoked].contains(reason) ? reason : nil
  }

  /// An instance has only addresses that are not of the link on which it is seen.
  func foundElsewhere(_ instance: String, _ addresses: [SocketAddress]) {
    for peer in machine.holders(of: instance) { entries[peer]?.elsewhere = addresses }
  }

  /// Logs that the machine at an address was dialled, and speaks another version.
  func noteVersion(_ address: SocketAddress, _ reason: Reason) {
    if reason == .versionMismatch { refusals.refused(reason, address, isCounted: false, isTold: false) }
  }
}
