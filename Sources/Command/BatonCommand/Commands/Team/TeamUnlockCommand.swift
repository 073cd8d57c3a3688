// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamUnlockCommand: Command {
  static let words = ["team", "unlock"]
  static let group = HelpGroup.teams
  static let summary = localized("Unlock the team's key for 15 minutes.")
  static let details = localized("This also renews certificates that are waiting for the key.")
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let examples: [CommandExample] = [
    ("baton team unlock", localized("Unlock the key.")),
    ("baton team unlock --passphrase-file /run/secrets/team", localized("Do the same without a prompt.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try arguments.connect()
    let passphrase = try Passphrase.read(arguments, isNew: false, of: .key)
    let parameters = UnlockTeam.Parameters(team: arguments[TeamOption.one], passphrase: passphrase)
    let reply = try connection.call(UnlockTeam.self, parameters)
    try output.result(
      reply.json,
      reply.team.passphrase
        ? localized("The key of the team \(TeamText.name(reply.team)) is unlocked for 15 minutes.")
        : localized("The key of the team \(TeamText.name(reply.team)) has no passphrase.")
    )
  }
}
