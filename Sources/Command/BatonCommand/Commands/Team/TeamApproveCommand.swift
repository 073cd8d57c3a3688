// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamApproveCommand: Command {
  static let words = ["team", "approve"]
  static let group = HelpGroup.teams
  static let summary = localized("Approve another machine's request to join your team.")
  static let details = localized(
    """
    FILE is the request from `baton team request` (default: standard input). The
    approval is written to standard output.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let operand: Operand? = .optional("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton team approve request.pem > approval.json", localized("Approve a request.")),
    ("baton team approve --team K7Q2M9XW4T request.pem", localized("Approve it for one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let request = try TeamFile.read(arguments.operand, orElse: .requestInvalid)
    let connection = try arguments.connect()
    let parameters = ApproveRequest.Parameters(request: request, team: arguments[TeamOption.one])
    let reply = try LockedKey.call(ApproveRequest.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, Printable.lines(reply.approval))
    output.note(
      localized(
        """
        Approved for the team \(TeamText.name(reply.team)).
        Keep the approval secret, and import it on the other machine with `baton team import`.
        """
      )
    )
  }
}
