// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamInviteCommand: Command {
  static let words = ["team", "invite"]
  static let group = HelpGroup.teams
  static let summary = localized("Create a code that lets one machine join your team.")
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let examples: [CommandExample] = [
    ("baton team invite", localized("Print a code for another machine.")),
    ("baton team invite --team K7Q2M9XW4T", localized("Do the same for one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try arguments.connect()
    let parameters = InviteDevice.Parameters(team: arguments[TeamOption.one])
    let reply = try LockedKey.call(InviteDevice.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, TeamText.invitation(reply, enteredIn: "baton team join", output))
    TeamText.noteWithoutDiscovery(arguments, output)
  }
}
