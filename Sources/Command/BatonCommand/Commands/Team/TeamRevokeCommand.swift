// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRevokeCommand: Command {
  static let words = ["team", "revoke"]
  static let group = HelpGroup.teams
  static let summary = localized("Remove a lost machine from your team for good.")
  static let details = localized(
    """
    MACHINE is a name or the start of an ID, as shown by `baton team machines`.
    This works only on admin machines, which have the team's key. Connected machines
    of the team end their sessions with the removed machine immediately. All others
    reject it once they've connected to a machine that knows about the removal.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let operand: Operand? = .required("MACHINE", .device)
  static let examples: [CommandExample] = [
    ("baton team revoke laptop", localized("Remove the laptop from your team.")),
    ("baton team revoke 7F3A91C2", localized("Remove the machine with this ID.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let device = arguments.requiredOperand
    let connection = try arguments.connect()
    let parameters = RevokeDevice.Parameters(device: device, team: arguments[TeamOption.one])
    let reply = try LockedKey.call(RevokeDevice.self, parameters, team: parameters.team, arguments, on: connection)
    let name = TeamText.name(reply.device)
    let date = Times.relative(reply.device.revoked ?? Times.now, to: Times.now)
    try output.result(
      reply.json,
      reply.already
        ? localized("\(name) was already removed \(date).") : localized("Removed \(name) from the team.")
    )
    if reply.device.administrator {
      output.note(
        localized(
          "It has the team's key, and can still use it to admit others. To replace the key, run `baton team renew`."
        )
      )
    }
  }
}
