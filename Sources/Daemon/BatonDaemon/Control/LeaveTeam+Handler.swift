// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import JSONCoding
import VarlinkServer

extension ControlServer {
  func leaveTeam(_ parameters: LeaveTeam.Parameters, _ exchange: Exchange<LeaveTeam>) {
    exchange.answering { [self] () async throws(Reason) in
      try await membership.leave(try membership.team(parameters.team, of: exchange.user), user: exchange.user)
      exchange.reply(LeaveTeam.Reply())
    }
  }
}
