// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import JSONCoding
import Teams
import VarlinkServer

extension ControlServer {
  func removePeer(_ parameters: RemovePeer.Parameters, _ exchange: Exchange<RemovePeer>) {
    exchange.answering { [self] () async throws(Reason) in
      let address = try AddressParser.canonical(parameters.address)
      let team = try parameters.team.map { text throws(Reason) in try membership.team(text, of: exchange.user) }
      let teams = team.map { [$0] } ?? membership.teams(of: exchange.user)
      try await peers.remove(Set(teams.map { StaticPeer(team: $0.id, address: address) }), for: exchange.user)
      exchange.reply(RemovePeer.Reply())
    }
  }
}
