// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamListCommand: Command {
  static let words = ["team", "list"]
  static let group = HelpGroup.teams
  static let summary = localized("List the teams this machine is in.")
  static let examples: [CommandExample] = [
    ("baton team list", localized("See your teams.")),
    ("baton team list --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListTeams.self, Nothing())
    if reply.teams.isEmpty {
      output.note(TeamText.note(reply))
    } else {
      for team in reply.unusable { output.note(TeamText.text(team)) }
    }
    if output.isJSON || !reply.teams.isEmpty { try output.result(reply.json, TeamText.list(reply.teams)) }
  }
}
