import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamPromoteCommand: Command {
  static let words = ["team", "promote"]
  static let group = HelpGroup.teams
  static let summary = "Give the team's key to another device."
  static let details = """
    The device can then admit and remove other devices. MACHINE is its name or a
    prefix of its ID, as `baton team machines` shows them. It must be connected. You
    cannot take the key back. If that machine is lost or stolen, make a new key with
    `baton team renew`. If the key has a passphrase, it has the same one there.
    """
  static let options: [any AnyOption] = [TeamOption.one, Confirmation.option, Passphrase.option]
  static let operand: Operand? = .required("MACHINE", .device)
  static let examples: [CommandExample] = [
    ("baton team promote desktop", localized("Make the desktop an admin machine.")),
    ("baton team promote 7F3A91C2 --yes", localized("Do the same without a question.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let device = arguments.requiredOperand
    try Confirmation.ask(
      """
      \(Printable.text(device)) gets the team's key. Each of its users who is in the team can then admit machines, and
      remove any machine, including this one. This cannot be undone: to make the key useless, you need `baton team renew`.
      """,
      arguments,
      output
    )
    let connection = try arguments.connect()
    let parameters = PromoteDevice.Parameters(device: device, team: arguments[TeamOption.one])
    let reply = try LockedKey.call(PromoteDevice.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, "\(TeamText.name(reply.device)) now has the team's key.")
  }
}
