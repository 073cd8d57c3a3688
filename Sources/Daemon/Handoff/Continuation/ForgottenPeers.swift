// SPDX-License-Identifier: Apache-2.0

import Activity

/// What is remembered of devices that are no longer known, so that an older advert does not count.
///
/// At most `Limits.knownPeers` are remembered. Those that were known only from adverts are forgotten first, and among
/// them the one with the oldest state.
struct ForgottenPeers: Sendable {
  struct Peer: Sendable {
    fileprivate(set) var version: KnownPeer.Version
    /// The epoch that the device gave in a session.
    fileprivate(set) var epoch: UInt64?
  }

  private var peers: [PeerID: Peer] = [:]

  var count: Int { peers.count }

  subscript(id: PeerID) -> Peer? { peers[id] }

  /// Remembers a peer.
  ///
  /// - Returns: The peer of which nothing is remembered from now on.
  mutating func remember(_ id: PeerID, _ version: KnownPeer.Version, epoch: UInt64?) -> PeerID? {
    peers[id] = Peer(version: max(version, peers[id]?.version ?? .init()), epoch: epoch)
    guard count > Limits.knownPeers else { return nil }
    let oldest = peers.min { ($0.value.rank, $0.value.version) < ($1.value.rank, $1.value.version) }
    if let oldest { peers[oldest.key] = nil }
    return oldest?.key
  }

  mutating func keep(only teams: TeamOwners) { peers = peers.filter { teams.contains($0.key.team) } }
}

extension ForgottenPeers.Peer {
  fileprivate var rank: Int { epoch == nil ? 0 : 1 }
}
