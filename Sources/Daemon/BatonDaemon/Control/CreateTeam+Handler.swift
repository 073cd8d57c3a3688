// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func createTeam(_ parameters: CreateTeam.Parameters, _ exchange: Exchange<CreateTeam>) {
    withKey(parameters.passphrase, exchange) { server, key async throws(Reason) in
      let team = try await server.membership.create(parameters.name, owner: exchange.user, key: key)
      exchange.reply(TeamReply(team: ControlTeam(team)))
    }
  }
}
