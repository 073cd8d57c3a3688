// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachineAcceptCommand: Command {
  static let words = ["machine", "accept"]
  static let formerWords = [["peer", "accept"]]
  static let group = HelpGroup.teams
  static let summary = localized("Let a machine take over another one's name.")
  static let details = localized(
    """
    A name belongs to the first machine in the team that uses it. If a different
    machine uses the same name, Baton shows that machine's name with the start of
    its ID, and doesn't send anything to it by name alone. Use this command if the
    new machine is yours, for example because you've reinstalled it.

    MACHINE is its ID, the start of it, or its name as shown by `baton machines`.

    With --json, the output is {"device", "deviceID", "team", "former"}. "former" is
    the ID of the machine that had the name.
    """
  )
  private static let team = Option.text("team", "ID", completing: .team, localized("The machine's team."))
  static let options: [any AnyOption] = [team]
  static let operand: Operand? = .required("MACHINE", .machine)
  static let examples: [CommandExample] = [
    ("baton machine accept 7F3A91C2", localized("Let the machine with this ID keep its name.")),
    ("baton machine accept 7F3A91C2 --team K7Q2M9XW4T", localized("Do the same in one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let recipient = try Recipient.met(arguments.requiredOperand, team: arguments[team], arguments.connect())
    let parameters = AcceptName.Parameters(deviceID: recipient.deviceID, team: recipient.team)
    let reply = try arguments.connect().call(AcceptName.self, parameters)
    let (id, name) = (reply.deviceID.text.prefix(8), Printable.text(reply.device))
    try output.result(
      reply.json,
      reply.former.map {
        localized("\(id) is now called \(name). The name previously belonged to \($0.text.prefix(8)).")
      }
        ?? localized("\(id) is now called \(name).")
    )
  }
}
