// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousImportCommand: Command {
  static let words = ["rendezvous", "import"]
  static let group = HelpGroup.servers
  static let summary = localized("Use the servers of an organization that accepted you.")
  static let details = localized(
    """
    FILE is the approval from `baton rendezvous authorize` (default: standard
    input).
    """
  )
  static let options: [any AnyOption] = [TeamOption.one]
  static let operand: Operand? = .optional("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton rendezvous import approval.json", localized("Start using the organization's servers.")),
    ("baton rendezvous import < approval.json", localized("Read the approval from standard input.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let approval = try TeamFile.read(arguments.operand, orElse: .approvalInvalid)
    let parameters = ImportRendezvous.Parameters(approval: approval, team: arguments[TeamOption.one])
    let reply = try arguments.connect().call(ImportRendezvous.self, parameters)
    try output.result(reply.json, RendezvousText.describe(reply.rendezvous))
  }
}
