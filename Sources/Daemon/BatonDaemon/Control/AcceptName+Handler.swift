// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func acceptName(_ parameters: AcceptName.Parameters, _ exchange: Exchange<AcceptName>) {
    exchange.answering { [self] () async throws(Reason) in
      let teams =
        try parameters.team.map { text throws(Reason) in [try membership.team(text, of: exchange.user)] }
        ?? membership.teams(of: exchange.user)
      let met = teams.map { PeerID(team: $0.id, device: parameters.deviceID) }.filter {
        peers.names.claimed(by: $0) != nil && !membership.isRevoked($0)
      }
      guard let peer = met.first else { throw .peerNotFound }
      guard met.count == 1 else { throw .teamAmbiguous }
      let former = try await peers.acceptName(of: peer, for: exchange.user)
      exchange.reply(
        AcceptName.Reply(
          device: peers.names.label(of: peer, saying: peers.names.claimed(by: peer) ?? ""),
          deviceID: peer.device,
          team: peer.team.description,
          former: former?.device
        )
      )
    }
  }
}
