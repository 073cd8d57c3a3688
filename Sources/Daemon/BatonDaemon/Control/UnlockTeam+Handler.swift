// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Teams
import VarlinkServer

extension ControlServer {
  func unlockTeam(_ parameters: UnlockTeam.Parameters, _ exchange: Exchange<UnlockTeam>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      guard let salt = try membership.salt(of: team) else { return exchange.reply(TeamReply(team: ControlTeam(team))) }
      try withKey(of: parameters.passphrase, salt: salt, exchange) { server, key async throws(Reason) in
        try await server.membership.unlock(team, with: key, by: exchange.user)
        exchange.reply(TeamReply(team: ControlTeam(try server.membership.current(team))))
      }
    }
  }

  func setPassphrase(_ parameters: SetPassphrase.Parameters, _ exchange: Exchange<SetPassphrase>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.team(parameters.team, of: exchange.user)
      // Checked before the work of deriving a key.
      try membership.checkKey(of: team, for: exchange.user)
      withKey(parameters.passphrase, exchange) { server, key async throws(Reason) in
        try await server.membership.setPassphrase(key, of: team, by: exchange.user)
        exchange.reply(TeamReply(team: ControlTeam(try server.membership.current(team))))
      }
    }
  }
}
