// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import VarlinkServer

extension ControlServer {
  func listStaticPeers(_ parameters: ListStaticPeers.Parameters, _ exchange: Exchange<ListStaticPeers>) {
    let visible = peers.namedPeers.filter { shell.mayUse($0.peer.team, exchange.user) }
    let list = visible.map { ControlStaticPeer($0.peer, $0.state, in: peers) }
    exchange.reply(ListStaticPeers.Reply(peers: list.sorted { ($0.team, $0.address) < ($1.team, $1.address) }))
  }
}

extension ControlStaticPeer {
  /// - Parameter state: Nil if no attempt has had a result yet.
  @Loop
  init(_ peer: StaticPeer, _ state: PeerTable.Machine.Named?, in table: PeerTable) {
    let entry = state?.peer.flatMap { table.entries[$0] }
    let isConnected = entry?.connection != nil
    self.init(
      address: peer.address,
      team: peer.team.description,
      state: isConnected
        ? .connected : state?.isThisMachine == true ? .thisMachine : state?.reason != nil ? .unreachable : .connecting,
      device: entry.flatMap { $0.name.isEmpty ? nil : $0.name },
      reason: isConnected ? nil : state?.reason
    )
  }
}
