// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamImportCommand: Command {
  static let words = ["team", "import"]
  static let group = HelpGroup.teams
  static let summary = localized("Join a team with the approval of your request.")
  static let details = localized("FILE is the approval from `baton team approve` (default: standard input).")
  static let operand: Operand? = .optional("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton team import approval.json", localized("Join with an approval.")),
    ("baton team import < approval.json", localized("Read the approval from standard input.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let approval = try TeamFile.read(arguments.operand, orElse: .approvalInvalid)
    let connection = try arguments.connect()
    let reply = try connection.call(ImportApproval.self, ImportApproval.Parameters(approval: approval))
    try output.result(reply.json, localized("Joined the team \(TeamText.name(reply.team))."))
  }
}
