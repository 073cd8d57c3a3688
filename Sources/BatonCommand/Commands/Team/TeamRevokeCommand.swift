import ControlClient
import ControlInterface
import JSONCoding

enum TeamRevokeCommand: Command {
  static let words = ["team", "revoke"]
  static let synopsis = "DEVICE [--team ID] [--passphrase-file FILE]"
  static let summary = "Remove a device that was lost from your team, for good."
  static let details = """
    DEVICE is its name or the begin of its ID, as `baton team devices` shows them. It works on machines
    that have the team's key. The machines of the team that are connected end their sessions with the device at
    once; each other one refuses it as soon as it has met one that knows.
    """
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several."), Passphrase.option]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let device = arguments.operands.first else { throw UsageError("The DEVICE is missing.", hint: helpHint) }
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = RevokeDevice.Parameters(device: device, team: arguments.value("team"))
    let reply = try LockedKey.call(RevokeDevice.self, parameters, team: parameters.team, arguments, on: connection)
    let name = TeamText.name(reply.device)
    let date = Times.relative(reply.device.revoked ?? Times.now, to: Times.now)
    try output.result(
      reply.json,
      reply.already ? "It was removed \(date) already: \(name)." : "Removed from the team: \(name)."
    )
    if reply.device.administrator {
      output.note("It has the team's key, with which others can still be admitted; `baton team renew` makes a new one.")
    }
  }
}
