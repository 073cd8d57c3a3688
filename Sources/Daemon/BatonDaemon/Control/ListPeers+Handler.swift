// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Discovery
import EventLoop
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func listPeers(_ parameters: ListPeers.Parameters, _ exchange: Exchange<ListPeers>) {
    peerLists.watch(exchange, exchange.user)
  }

  /// Makes the list of the peers in a user's teams.
  static func peers(
    of user: UserID,
    _ peers: PeerTable,
    _ shell: ContinuationShell,
    _ rendezvous: RendezvousTable
  ) -> (ListPeers.Reply, cost: Int) {
    // Once, because there may be a thousand peers.
    let links = OwnLinks()
    let known = peers.snapshot().filter { shell.mayUse($0.id.team, user) }
    let list = known.map {
      ControlPeer($0.entry, $0.id, links, peers.names) { rendezvous.told($0, of: $1) }
    }
    let sorted = list.sorted { ($0.device, $0.deviceID) < ($1.device, $1.deviceID) }
    let away = peers.away(but: Set(known.map(\.id)), of: user).map { peer, label in
      let claim = peers.names.claimed(by: peer)
      return ControlPeer(
        device: label.isEmpty ? peer.device.description : label,
        deviceID: peer.device,
        team: peer.team.description,
        state: .unreachable,
        reason: peers.reasonAway(peer),
        claim: claim == label ? nil : claim,
        awaySince: peers.names.lastMet(peer)
      )
    }
    return (ListPeers.Reply(peers: sorted, away: away), list.count + away.count)
  }
}

extension ControlPeer {
  @Loop
  fileprivate init(
    _ entry: PeerSnapshot,
    _ id: PeerID,
    _ links: OwnLinks,
    _ names: RememberedNames,
    isTold: @Loop (SocketAddress, PeerID) -> Bool
  ) {
    let claim = names.claimed(by: id)
    self.init(
      device: entry.name,
      deviceID: id.device,
      team: id.team.description,
      state: entry.connection != nil
        ? .connected : entry.isDialling || entry.reason == nil ? .connecting : .unreachable,
      address: entry.address?.description,
      reason: entry.connection == nil ? entry.reason : nil,
      path: entry.connection.flatMap { Self.path($0, id, links, isTold) },
      roundTrip: entry.connection.map { ($0.roundTrip / .milliseconds(1) * 1000).rounded() / 1000 },
      claim: claim == entry.name ? nil : claim,
      awaySince: entry.connection == nil ? names.lastMet(id) : nil
    )
  }

  @Loop
  static func path(
    _ connection: PeerConnection,
    _ id: PeerID,
    _ links: OwnLinks,
    _ isTold: @Loop (SocketAddress, PeerID) -> Bool
  ) -> Path? {
    guard !connection.isRelayed else { return .relay }
    guard let address = connection.address else { return nil }
    if links.contains(address) { return .link }
    return connection.isDialler && isTold(address, id) ? .rendezvous : .routed
  }
}
