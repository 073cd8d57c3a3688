// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Teams
import VarlinkServer

extension ControlServer {
  func renewTeam(_ parameters: RenewTeam.Parameters, _ exchange: Exchange<RenewTeam>) {
    exchange.failing { () throws(Reason) in
      let old = try membership.team(parameters.team, of: exchange.user)
      withKey(parameters.passphrase, exchange) { server, key async throws(Reason) in
        let renewed = try await server.membership.renew(old, user: exchange.user, key: key)
        exchange.reply(
          RenewTeam.Reply(
            team: ControlTeam(renewed.team),
            replaced: old.id.description,
            code: renewed.code,
            expires: Double(renewed.expires)
          )
        )
      }
    }
  }
}
