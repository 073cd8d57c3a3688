import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRevokeCommand: Command {
  static let words = ["team", "revoke"]
  static let group = HelpGroup.teams
  static let summary = "Remove a lost device from your team for good."
  static let details = """
    MACHINE is its name or a prefix of its ID, as `baton team machines` shows them.
    The command works only on machines that have the team's key. Connected machines
    of the team end their sessions with the device immediately. Every other machine
    refuses the device as soon as it has met a machine that knows of the removal.
    """
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
      reply.already ? "\(name) was already removed \(date)." : "Removed \(name) from the team."
    )
    if reply.device.administrator {
      output.note(
        "It has the team's key, and can still admit others with it. To make a new key, run `baton team renew`."
      )
    }
  }
}
