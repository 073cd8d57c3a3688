// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func addPeer(_ parameters: AddPeer.Parameters, _ exchange: Exchange<AddPeer>) {
    exchange.answering { [self] () async throws(Reason) in
      let address = try AddressParser.canonical(parameters.address)
      let team = try membership.team(parameters.team, of: exchange.user)
      let peer = StaticPeer(team: team.id, address: address)
      try await peers.add(peer, for: exchange.user, in: Set(membership.teams(of: exchange.user).map(\.id)))
      let state = peers.namedPeers.first { $0.peer == peer }?.state
      exchange.reply(AddPeer.Reply(peer: ControlStaticPeer(peer, state, in: peers)))
    }
  }
}
