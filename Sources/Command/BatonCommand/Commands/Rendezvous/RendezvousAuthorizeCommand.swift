// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousAuthorizeCommand: Command {
  static let words = ["rendezvous", "authorize"]
  static let group = HelpGroup.servers
  static let summary = localized("Let a team use your organization's servers.")
  static let details = localized(
    """
    FILE is the request from `baton rendezvous request` (default: standard input).
    The approval is written to standard output, and the servers are updated.
    """
  )
  private static let organization = Option.text(
    "organization",
    "NAME",
    localized("The organization. Required if you have more than one.")
  )
  static let options: [any AnyOption] = [organization]
  static let operand: Operand? = .optional("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton rendezvous authorize request.json > approval.json", localized("Approve a team's request.")),
    (
      "baton rendezvous authorize --organization Acme request.json",
      localized("Approve it for one of your organizations.")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let limit = Limits.rendezvousRequestLength
    let request = try TeamFile.read(arguments.operand, limit: limit, orElse: .requestInvalid)
    let parameters = AuthorizeRendezvous.Parameters(request: request, organization: arguments[organization])
    let reply = try arguments.connect().call(AuthorizeRendezvous.self, parameters)
    try output.result(reply.json, Printable.lines(reply.approval))
    let team = Printable.text(reply.team)
    guard let problem = reply.problem else {
      return output.note(localized("The team \(team) is now authorized. Send the approval to its administrator."))
    }
    throw CommandError(
      .failure,
      localized(
        "Couldn't update the servers: \(Printable.text(problem)). Start them, and authorize the same request again."
      )
    )
  }
}
