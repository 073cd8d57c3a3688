import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamPromoteCommand: Command {
  static let words = ["team", "promote"]
  static let synopsis = "DEVICE [--team ID] [--yes] [--passphrase-file FILE]"
  static let summary = "Give another device of your team the team's key, so that it can admit and remove, too."
  static let details = """
    DEVICE is its name or the begin of its ID, as `baton team devices` shows them; it must be connected.
    What was given cannot be taken back: where that machine is lost or stolen, `baton team renew` makes a
    new key. A key with a passphrase keeps it there.
    """
  static let options: [Option] = [
    .value("team", "ID", "The team; needed where you have several."), Confirmation.option, Passphrase.option,
  ]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let device = arguments.operands.first else { throw UsageError("The DEVICE is missing.", hint: helpHint) }
    try Confirmation.ask(
      """
      \(Printable.text(device)) gets the team's key. Each of its users who is in the team can then admit machines and remove
      any, this one too. That cannot be taken back: only `baton team renew` makes the key useless.
      """,
      arguments,
      output
    )
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = PromoteDevice.Parameters(device: device, team: arguments.value("team"))
    let reply = try LockedKey.call(PromoteDevice.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, "It has the team's key now: \(TeamText.name(reply.device)).")
  }
}
