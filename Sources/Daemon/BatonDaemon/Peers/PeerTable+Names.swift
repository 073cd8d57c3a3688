// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Teams

/// What the machines are called (`DeviceNames`), and whose team has another ID or was left.
extension PeerTable {
  /// Tells every part another name of a peer.
  func name(_ peer: PeerID, _ label: String) {
    guard let entry = entries[peer], entry.name != label else { return }
    entry.name = label
    if entry.connection != nil { host.renamed(peer, label) }
  }

  /// A peer says that it has another name.
  func received(_ message: Renamed, on connection: PeerConnection) {
    name(connection.peer, names.said(message.device, by: connection.peer))
    host.peersChanged()
  }

  /// A person has given a device the name that it calls itself.
  ///
  /// - Returns: The device that had it; nil if none had.
  /// - Throws: `peerNotFound`, `storageFailed`.
  func acceptName(of peer: PeerID, for user: UserID) async throws(Reason) -> PeerID? {
    let former = try await names.accept(peer, for: user)
    nameAgain()
    return former
  }

  /// Called when a name may have become free, or may have another owner.
  func nameAgain() {
    var isChanged = false
    for (peer, entry) in entries {
      guard let claim = names.claimed(by: peer) else { continue }
      let label = entry.connection == nil ? names.label(of: peer, saying: claim) : names.said(claim, by: peer)
      guard label != entry.name else { continue }
      isChanged = true
      name(peer, label)
    }
    if isChanged { host.peersChanged() }
  }

  /// The devices of a user's teams that were met, and are not among `found`, with their labels.
  func away(but found: Set<PeerID>, of user: UserID) -> [(id: PeerID, label: String)] {
    membership.teams(of: user).flatMap { team in
      names.devices(in: team.id).filter { peer, _ in
        !found.contains(peer) && peer.device != team.device && !isRevoked(peer)
      }.map { (id: $0.peer, label: $0.label) }
    }.sorted { ($0.label, $0.id.device) < ($1.label, $1.id.device) }
  }

  /// The peer has left the team.
  func forget(_ peer: PeerID) {
    remembered.forget(peer)
    names.forget(peer)
    handle(.remembered(peer, []))
    handle(.said(peer, []))
    // Its name is free.
    nameAgain()
  }

  // MARK: Teams

  /// Moves what is known about the devices of a team to another team.
  func rename(_ old: TeamID, to team: TeamID) {
    remembered.rename(old, to: team)
    staticPeers.rename(old, to: team)
    names.rename(old, to: team)
  }

  /// Forgets a team that this machine is no longer in.
  ///
  /// - Parameter isLeft: Whether its other machines are told that this one has left it, so that they forget it, too.
  func forget(_ team: TeamID, isLeft: Bool) {
    if isLeft { left.insert(team) }
    remembered.forget(team)
    staticPeers.forget(team)
    names.forget(team)
  }
}
