// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func approveRequest(_ parameters: ApproveRequest.Parameters, _ exchange: Exchange<ApproveRequest>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let approval = try await membership.approve(parameters.request, in: team, by: exchange.user)
      exchange.reply(ApproveRequest.Reply(approval: approval, team: ControlTeam(team)))
    }
  }
}
