import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRestoreCommand: Command {
  static let words = ["team", "restore"]
  static let group = HelpGroup.teams
  static let summary = "Restore a team from a backup."
  static let details = """
    FILE is a backup from `baton team backup`; - is standard input. This machine
    becomes the device that was backed up. The team then belongs to you; if root
    restores it, to its previous owners. Never restore a backup on a second machine
    while the first is in use, because both would be the same device.
    """
  private static let check = Option.flag("check", "Only show what is in the file, and change nothing.")
  static let options: [any AnyOption] = [check, Passphrase.option]
  static let operand: Operand? = .required("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton team restore --check home.backup", localized("See what a backup contains.")),
    ("baton team restore home.backup", localized("Restore it.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let path = arguments.requiredOperand
    let connection = try arguments.connect()
    let passphrase = try Passphrase.read(arguments, isNew: false)
    let backup = try TeamFile.read(path, limit: Limits.backupLength, orElse: .backupInvalid)
    let isCheck = arguments[check]
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
    The backup opens. It contains \(origin(reply)).
    It would make this machine the device \(reply.team.deviceID), whose certificate expires \
    \(Times.relative(reply.team.expires, to: Times.now)).
    \(reply.team.administrator ? "It contains the team's key, so this machine could admit others." : "It does not contain the team's key.")
    """
  }

  private static func advice(_ team: ControlTeam) -> String {
    var lines = [
      "Do not restore it on a second machine while this one is in use, because both would be the same device."
    ]
    if team.administrator {
      lines += [
        "Older codes are no longer valid. To make new ones, run `baton team invite`.",
        "This machine learns which devices were removed after the backup when it meets another one of the team.",
      ]
    }
    return lines.joined(separator: "\n")
  }
}
