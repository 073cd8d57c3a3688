// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func importApproval(_ parameters: ImportApproval.Parameters, _ exchange: Exchange<ImportApproval>) {
    exchange.answering { [self] () async throws(Reason) in
      let team = try await membership.importApproval(parameters.approval, owner: exchange.user)
      exchange.reply(TeamReply(team: ControlTeam(team)))
    }
  }
}
