// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func backUpTeam(_ parameters: BackUpTeam.Parameters, _ exchange: Exchange<BackUpTeam>) {
    exchange.failing { () throws(Reason) in
      guard PassphraseKey.isLongEnough(parameters.passphrase) else { throw .passphraseTooShort }
      let team = try membership.team(parameters.team, of: exchange.user)
      do throws(Reason) {
        try membership.checkBackup(of: team, by: exchange.user)
      } catch .notPermitted {
        return exchange.fail(
          .notPermitted,
          message:
            "Other users of this machine are also in the team and share its keys. Only root can back it up."
        )
      }
      try passphrases.makeKey(parameters.passphrase, for: exchange.user) { [weak self, exchange] result in
        exchange.answering { () async throws(Reason) in
          guard let self else { throw .shuttingDown }
          let addresses = self.peers.namedPeers.map(\.peer).filter { $0.team == team.id }.map(\.address)
          let backup = try await self.membership.backUp(
            team,
            by: exchange.user,
            machine: self.settings.deviceName,
            addresses: addresses.sorted(),
            key: try result.get()
          )
          exchange.reply(BackUpTeam.Reply(backup: backup, team: ControlTeam(team)))
        }
      }
    }
  }
}
