// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachineListCommand: Command {
  static let words = ["machine", "list"]
  static let formerWords = [["peer", "list"]]
  static let group = HelpGroup.teams
  static let summary = localized("List the addresses you added with `baton machine add`.")
  static let details = localized("To list all machines, however Baton found them, run `baton machines`.")
  static let examples: [CommandExample] = [
    ("baton machine list", localized("See the addresses you added.")),
    ("baton machine list --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListStaticPeers.self, Nothing())
    if reply.peers.isEmpty {
      output.note(localized("You haven't added any addresses. To add one, run `baton machine add HOST`."))
    }
    if output.isJSON || !reply.peers.isEmpty { try output.result(reply.json, PeerText.list(reply.peers)) }
  }
}
