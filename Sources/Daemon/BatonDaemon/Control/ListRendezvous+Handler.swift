// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func listRendezvous(_ parameters: ListRendezvous.Parameters, _ exchange: Exchange<ListRendezvous>) {
    let teams = membership.teams(of: exchange.user).filter { $0.rendezvous?.isEmpty == false }
    exchange.reply(ListRendezvous.Reply(teams: teams.map(describe)))
  }

  func describe(_ team: Team) -> ControlRendezvous {
    let access = team.rendezvous ?? RendezvousAccess(version: 0)
    let client = rendezvous.clients[team.id]
    let (state, server, problem): (ControlRendezvous.State, String?, String?) =
      switch client?.state {
      case .ready(let server, _): (.ready, server.description, nil)
      case .connecting(let server): (.connecting, server.description, nil)
      case .waiting(let server, let failure): (.waiting, server.description, failure.description)
      case nil: (.off, nil, nil)
      }
    return ControlRendezvous(
      team: team.id.description,
      name: team.name,
      servers: access.servers,
      relays: access.relays,
      state: state,
      server: server,
      problem: problem,
      devices: Int64(client?.heard.count ?? 0),
      expires: access.user.map { Double($0.expires) },
      isAdministrator: access.account != nil,
      runsServers: access.account?.operator != nil
    )
  }
}
