// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRestoreCommand: Command {
  static let words = ["team", "restore"]
  static let group = HelpGroup.teams
  static let summary = localized("Restore a team from a backup.")
  static let details = localized(
    """
    FILE is a backup from `baton team backup`; - is standard input. This machine
    gets the identity of the machine that was backed up. The team then belongs to
    you; if root restores it, to its previous owners. Never restore a backup on a
    second machine while the first is in use, because both would have the same
    identity.
    """
  )
  private static let check = Option.flag("check", localized("Only show the contents of the file."))
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
    try output.result(reply.json, isCheck ? description(reply) : restored(reply))
    if !isCheck { output.note(advice(reply.team)) }
  }

  private static func restored(_ reply: RestoreTeam.Reply) -> String {
    let (name, device) = (TeamText.name(reply.team), Printable.text(reply.device))
    return localized("Restored the team \(name), which \"\(device)\" backed up \(date(reply)).")
  }

  private static func date(_ reply: RestoreTeam.Reply) -> String { Times.relative(reply.made, to: Times.now) }

  private static func description(_ reply: RestoreTeam.Reply) -> String {
    let (name, device) = (TeamText.name(reply.team), Printable.text(reply.device))
    let expiry = Times.relative(reply.team.expires, to: Times.now)
    return [
      localized("The backup is good. It contains the team \(name), which \"\(device)\" backed up \(date(reply))."),
      localized("It would give this machine the ID \(reply.team.deviceID), whose certificate expires \(expiry)."),
      reply.team.administrator
        ? localized("It contains the team's key, so this machine could admit others.")
        : localized("It doesn't contain the team's key."),
    ].joined(separator: "\n")
  }

  private static func advice(_ team: ControlTeam) -> String {
    var lines = [
      localized(
        "Don't restore it on a second machine while this one is in use, because both would have the same identity."
      )
    ]
    if team.administrator {
      lines += [
        localized("Older codes are no longer valid. To create new ones, run `baton team invite`."),
        localized(
          "If machines were removed after the backup, this one finds out when it connects to another one in the team."
        ),
      ]
    }
    return lines.joined(separator: "\n")
  }
}
