// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousRequestCommand: Command {
  static let words = ["rendezvous", "request"]
  static let group = HelpGroup.servers
  static let summary = localized("Ask an organization to let your team use its servers.")
  static let details = localized(
    """
    Send the request to the people who run the servers, and import their approval:

        baton rendezvous request > request.json
        baton rendezvous authorize request.json > approval.json      (there)
        baton rendezvous import approval.json

    Neither is secret. Do the same after you remove a machine from the team. With
    --replace, a team that runs its own servers stops using them immediately.
    """
  )
  private static let replace = Option.flag("replace", localized("Stop using the servers the team runs itself."))
  static let options: [any AnyOption] = [replace, TeamOption.one]
  static let examples: [CommandExample] = [
    ("baton rendezvous request > request.json", localized("Write a request to a file.")),
    (
      "baton rendezvous request --replace > request.json",
      localized("Use the organization's servers instead of your own.")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let parameters = RequestRendezvous.Parameters(team: arguments[TeamOption.one], replace: arguments[replace])
    let reply = try arguments.connect().call(RequestRendezvous.self, parameters)
    try output.result(reply.json, Printable.lines(reply.request))
  }
}
