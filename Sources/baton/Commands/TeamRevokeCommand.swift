import ControlClient
import ControlInterface
import JSON

enum TeamRevokeCommand: Command {
  static let words = ["team", "revoke"]
  static let synopsis = "DEVICE [--team ID]"
  static let summary = "Remove a device that was lost from your team, for good."
  static let details = """
    DEVICE is its name or the begin of its ID, as `baton team devices` shows them. It works on the machine
    that made the team. The machines of the team that are connected end their sessions with the device at
    once; each other one refuses it as soon as it has met one that knows.
    """
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several.")]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let device = arguments.operands.first else { throw UsageError("The DEVICE is missing.", hint: helpHint) }
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = RevokeDevice.Parameters(device: device, team: arguments.value("team"))
    let reply = try connection.call(RevokeDevice.self, parameters)
    let name = TeamText.name(reply.device)
    let date = Times.relative(reply.device.revoked ?? Times.now, to: Times.now)
    try output.result(
      reply.json,
      reply.already ? "It was removed \(date) already: \(name)." : "Removed from the team: \(name)."
    )
  }
}
