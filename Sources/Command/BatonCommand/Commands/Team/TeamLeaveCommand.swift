// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamLeaveCommand: Command {
  static let words = ["team", "leave"]
  static let group = HelpGroup.teams
  static let summary = localized("Leave a team.")
  static let details = localized(
    """
    TEAM is the team's ID, as shown by `baton team list`, or its name. When the
    team's last user on this machine leaves, its keys here are deleted. If the
    team's key is among them, the command asks first: without that key, nobody can
    admit or remove machines.
    """
  )
  static let options: [any AnyOption] = [Confirmation.option]
  static let operand: Operand? = .required("TEAM", .team)
  static let examples: [CommandExample] = [
    ("baton team leave Home", localized("Leave the team \"Home\".")),
    ("baton team leave K7Q2M9XW4T --yes", localized("Leave a team without confirmation.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try arguments.connect()
    let team = try MeantTeam.find(arguments.requiredOperand, connection)
    if team.administrator {
      try Confirmation.ask(
        localized(
          """
          This machine has the key of \(Printable.text(team.name)), which admits and removes machines. If no other user \
          here is in the team, the key is deleted when you leave. Unless another machine also has it, nobody can get it \
          back. To keep it, first run `baton team backup`, or `baton team promote` to give it to another machine.
          """
        ),
        arguments,
        output
      )
    }
    let id = team.id.description
    _ = try connection.call(LeaveTeam.self, LeaveTeam.Parameters(team: id))
    try output.result(["left": .string(id)], localized("Left the team \(TeamText.name(team))."))
  }
}
