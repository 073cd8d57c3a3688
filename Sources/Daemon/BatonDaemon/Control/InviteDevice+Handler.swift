// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func inviteDevice(_ parameters: InviteDevice.Parameters, _ exchange: Exchange<InviteDevice>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      let invitation = try await membership.invite(to: team, by: exchange.user)
      exchange.reply(InviteDevice.Reply(code: invitation.code, expires: Double(invitation.expires)))
    }
  }
}
