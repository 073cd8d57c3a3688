// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousRemoveCommand: Command {
  static let words = ["rendezvous", "remove"]
  static let group = HelpGroup.servers
  static let summary = localized("Stop using servers; connect only on shared networks.")
  static let details = localized(
    """
    Your machines forget the servers. To stop the servers themselves, run
    `sudo baton-rendezvous stop` on them.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one]
  static let examples: [CommandExample] = [
    ("baton rendezvous remove", localized("Stop using servers.")),
    ("baton rendezvous remove --team K7Q2M9XW4T", localized("Stop using servers in one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let parameters = RemoveRendezvous.Parameters(team: arguments[TeamOption.one])
    _ = try arguments.connect().call(RemoveRendezvous.self, parameters)
    try output.result([:], localized("Your machines no longer use servers."))
  }
}
