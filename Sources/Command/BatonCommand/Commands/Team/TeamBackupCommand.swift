// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamBackupCommand: Command {
  static let words = ["team", "backup"]
  static let group = HelpGroup.teams
  static let summary = localized("Back up this machine's membership in a team.")
  static let details = localized(
    """
    The backup is encrypted with a passphrase. FILE must not exist yet; - is
    standard output. Anyone with both the file and the passphrase can impersonate
    this machine, so keep them apart. If this machine has the team's key, they can
    also admit others. To restore the team, run `baton team restore`. The backup
    doesn't contain invitation codes.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let operand: Operand? = .required("FILE", .file)
  static let examples: [CommandExample] = [
    ("baton team backup home.backup", localized("Back up your team to a file.")),
    ("baton team backup - --passphrase-file secret.txt > home.backup", localized("Back it up without confirmation.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let path = arguments.requiredOperand
    let file = path == "-" ? nil : try NewFile(path)
    let connection = try arguments.connect()
    let passphrase = try Passphrase.read(arguments, isNew: true)
    let parameters = BackUpTeam.Parameters(team: arguments[TeamOption.one], passphrase: passphrase)
    let reply = try connection.call(BackUpTeam.self, parameters)
    let written = try file?.write(reply.backup) ?? reply.backup
    try open(written, passphrase, reply.team, connection)
    if let file {
      try file.publish()
      let text =
        localized(
          "Backed up the team \(TeamText.name(reply.team)) to \(Printable.text(path)), and checked that it can be restored."
        )
      try output.result(["file": .string(path), "team": reply.team.json], text)
    } else {
      try output.result(reply.json, Printable.lines(reply.backup))
    }
    output.note(
      reply.team.administrator
        ? localized(
          """
          Anyone with both the backup and the passphrase can impersonate this machine and admit others to the team. Keep \
          the two apart.
          """
        )
        : localized("Anyone with both the backup and the passphrase can impersonate this machine. Keep the two apart.")
    )
  }

  /// Checks that the backup opens. One that does not is useless.
  private static func open(
    _ text: String,
    _ passphrase: String,
    _ team: ControlTeam,
    _ connection: ControlConnection
  ) throws {
    let parameters = RestoreTeam.Parameters(backup: text, passphrase: passphrase, checkOnly: true)
    do throws(ControlError) {
      let reply = try connection.call(RestoreTeam.self, parameters)
      guard reply.team == team else { throw ControlError.protocolViolation("another team came back") }
    } catch {
      throw CommandError(ExitStatus(error), localized("The backup can't be restored, so it was discarded: \(error)"))
    }
  }
}
