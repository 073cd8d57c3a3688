// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRequestCommand: Command {
  static let words = ["team", "request"]
  static let group = HelpGroup.teams
  static let summary = localized("Create a request to join a team without a network.")
  static let details = localized(
    """
    Copy the request to a machine in the team, approve it there, and import the
    approval here:

        baton team request > request.pem
        baton team approve request.pem > approval.json      (on a team machine)
        baton team import approval.json

    The request isn't secret, but the approval is.
    """
  )
  static let examples: [CommandExample] = [
    ("baton team request > request.pem", localized("Write a request to a file.")),
    ("baton team request --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(RequestMembership.self, Nothing())
    try output.result(reply.json, Printable.lines(reply.request))
  }
}
