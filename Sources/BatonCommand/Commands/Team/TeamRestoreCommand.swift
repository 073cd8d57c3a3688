import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamRestoreCommand: Command {
  static let words = ["team", "restore"]
  static let synopsis = "FILE [--check] [--passphrase-file FILE]"
  static let summary = "Bring a team back from a file that `baton team backup` wrote; this machine is that device then."
  static let details = """
    FILE may be - for standard input. The team is yours then; root brings it back for the users whose it was.
    Never restore a backup on a second machine while the first is used: both would be one device.
    """
  static let options: [Option] = [
    .flag("check", "Only say what is in the file, and change nothing."), Passphrase.option,
  ]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let path = arguments.operands.first else { throw UsageError("The FILE is missing.", hint: helpHint) }
    let connection = try ControlConnection(path: arguments.value("socket"))
    let passphrase = try Passphrase.read(arguments, isNew: false)
    let backup = try TeamFile.read(path, limit: Limits.backupLength, orElse: .backupInvalid)
    let isCheck = arguments.has("check")
    let parameters = RestoreTeam.Parameters(backup: backup, passphrase: passphrase, checkOnly: isCheck)
    let reply = try connection.call(RestoreTeam.self, parameters)
    try output.result(reply.json, isCheck ? description(reply) : "Restored \(origin(reply)).")
    if !isCheck { output.note(advice(reply.team)) }
  }

  private static func origin(_ reply: RestoreTeam.Reply) -> String {
    let date = Times.relative(reply.made, to: Times.now)
    return "the team \(TeamText.name(reply.team)) as \"\(Printable.text(reply.device))\" backed it up \(date)"
  }

  private static func description(_ reply: RestoreTeam.Reply) -> String {
    """
    The file opens, and has \(origin(reply)).
    It makes this machine the device \(reply.team.deviceID), whose certificate expires \
    \(Times.relative(reply.team.expires, to: Times.now)).
    It \(reply.team.administrator ? "has the team's key: this machine could admit others" : "does not have the team's key").
    """
  }

  private static func advice(_ team: ControlTeam) -> String {
    var lines = [
      "Do not restore it on a second machine while this one is used: both would be one device."
    ]
    if team.administrator {
      lines += [
        "Codes that were given out before are not good any more; `baton team invite` makes new ones.",
        "Devices that were removed after the backup are known again when this machine has met another one of the team.",
      ]
    }
    return lines.joined(separator: "\n")
  }
}
