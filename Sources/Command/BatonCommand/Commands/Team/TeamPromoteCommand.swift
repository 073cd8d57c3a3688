// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamPromoteCommand: Command {
  static let words = ["team", "promote"]
  static let group = HelpGroup.teams
  static let summary = localized("Give the team's key to another machine.")
  static let details = localized(
    """
    The other machine becomes an admin machine: it can admit and remove machines.
    MACHINE is a name or the start of an ID, as shown by `baton team machines`. The
    machine must be online. You can't take the key back. If that machine is lost or
    stolen, replace the key with `baton team renew`. If the key has a passphrase, it
    keeps the same one there.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one, Confirmation.option, Passphrase.option]
  static let operand: Operand? = .required("MACHINE", .device)
  static let examples: [CommandExample] = [
    ("baton team promote desktop", localized("Make the desktop an admin machine.")),
    ("baton team promote 7F3A91C2 --yes", localized("Do the same without confirmation.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let device = arguments.requiredOperand
    try Confirmation.ask(
      localized(
        """
        \(Printable.text(device)) gets the team's key. All its users who are in the team can then admit machines, and
        remove any machine, including this one. This can't be undone. To invalidate the key, run `baton team renew`.
        """
      ),
      arguments,
      output
    )
    let connection = try arguments.connect()
    let parameters = PromoteDevice.Parameters(device: device, team: arguments[TeamOption.one])
    let reply = try LockedKey.call(PromoteDevice.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, localized("\(TeamText.name(reply.device)) now has the team's key."))
  }
}
