// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func restoreTeam(_ parameters: RestoreTeam.Parameters, _ exchange: Exchange<RestoreTeam>) {
    exchange.failing { () throws(Reason) in
      do throws(Reason) {
        let file = try BackupFile(text: parameters.backup)
        try passphrases.makeKey(parameters.passphrase, salt: file.salt, for: exchange.user) { [weak self, exchange] in
          guard let self else { return exchange.fail(.shuttingDown) }
          self.restore(file, key: $0, checkOnly: parameters.checkOnly, exchange)
        }
      } catch .versionMismatch {
        exchange.fail(
          .versionMismatch,
          message: "A later version of Baton made the backup. Upgrade Baton on this machine."
        )
      }
    }
  }

  private func restore(
    _ file: BackupFile,
    key: Result<PassphraseKey, Reason>,
    checkOnly: Bool,
    _ exchange: Exchange<RestoreTeam>
  ) {
    // A user who interrupted the command expects that nothing has changed.
    guard !exchange.hasClientLeft else { return exchange.fail(.internalFailure) }
    exchange.answering { [self] () async throws(Reason) in
      do throws(Reason) {
        let (team, backup) =
          try checkOnly
          ? membership.check(file, key: key.get(), for: exchange.user)
          : await membership.restore(file, key: key.get(), for: exchange.user)
        if !checkOnly { await name(backup.addresses, in: team, for: exchange.user) }
        let reply = RestoreTeam.Reply(team: ControlTeam(team), device: backup.machine, made: Double(backup.made))
        exchange.reply(reply)
      } catch .alreadyMember {
        exchange.fail(
          .alreadyMember,
          message: "This machine is already in the team, so nothing was changed. Run `baton team leave` first."
        )
      } catch .certificateRevoked {
        exchange.fail(
          .certificateRevoked,
          message: "The machine that made the backup was removed from the team. Join the team with a new code."
        )
      }
    }
  }

  /// Adds the backup's addresses as static peers. If that fails, the team is still restored.
  private func name(_ addresses: [String], in team: Team, for user: UserID) async {
    let teams = Set(membership.teams(of: user).map(\.id))
    for address in addresses.prefix(Limits.staticPeers) {
      guard let address = try? AddressParser.canonical(address) else { continue }
      try? await peers.add(StaticPeer(team: team.id, address: address), for: user, in: teams)
    }
  }
}
