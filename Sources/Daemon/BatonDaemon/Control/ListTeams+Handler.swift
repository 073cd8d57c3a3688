// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Teams
import VarlinkServer

extension ControlServer {
  func listTeams(_ parameters: ListTeams.Parameters, _ exchange: Exchange<ListTeams>) {
    exchange.reply(
      ListTeams.Reply(
        teams: membership.teams(of: exchange.user).map(ControlTeam.init),
        unusable: membership.unusableTeams(of: exchange.user).map {
          ControlUnusableTeam(name: $0.name, fault: $0.fault)
        }
      )
    )
  }
}
