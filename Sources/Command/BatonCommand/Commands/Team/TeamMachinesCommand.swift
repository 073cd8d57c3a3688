// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamMachinesCommand: Command {
  static let words = ["team", "machines"]
  static let formerWords = [["team", "devices"]]
  static let group = HelpGroup.teams
  static let summary = localized("List the machines that were admitted to your team.")
  static let details = localized("The list includes machines that have since been removed.")
  static let options: [any AnyOption] = [TeamOption.one]
  static let examples: [CommandExample] = [
    ("baton team machines", localized("See the members of your team.")),
    ("baton team machines --team K7Q2M9XW4T", localized("See the members of one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try arguments.connect()
    let reply = try connection.call(ListDevices.self, ListDevices.Parameters(team: arguments[TeamOption.one]))
    if reply.devices.isEmpty {
      output.note(localized("This machine hasn't admitted any others. To add one, run `baton team invite`."))
    }
    if output.isJSON || !reply.devices.isEmpty { try output.result(reply.json, TeamText.list(reply.devices)) }
  }
}
