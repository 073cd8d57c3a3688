// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamCreateCommand: Command {
  static let words = ["team", "create"]
  static let group = HelpGroup.teams
  static let summary = localized("Create a team with this machine as its first member.")
  static let options: [any AnyOption] = [Passphrase.flag, Passphrase.option]
  static let operand: Operand? = .required("NAME", limit: .teamName)
  static let examples: [CommandExample] = [
    ("baton team create Home", localized("Create the team \"Home\".")),
    ("baton team create Home --passphrase", localized("Protect the team's key with a passphrase.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let name = arguments.requiredOperand
    let connection = try arguments.connect()
    let parameters = CreateTeam.Parameters(name: name, passphrase: try Passphrase.readIfWanted(arguments))
    let reply = try connection.call(CreateTeam.self, parameters)
    try output.result(
      reply.json,
      localized(
        """
        Created the team \(TeamText.name(reply.team)).
        To add a machine, run `baton team invite`.
        """
      )
    )
    try FirewallDialogue.run(arguments, output)
  }
}
