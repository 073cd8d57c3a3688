import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamBackupCommand: Command {
  static let words = ["team", "backup"]
  static let synopsis = "FILE [--team ID] [--passphrase-file FILE]"
  static let summary = "Write what makes this machine a member of your team into a file that a passphrase seals."
  static let details = """
    FILE must not be there yet; - is standard output. Whoever has it and the passphrase can be this machine
    and, where this machine made the team, admit others: keep the two apart. `baton team restore` brings the
    team back. Codes that were given out are not in it.
    """
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several."), Passphrase.option]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let path = arguments.operands.first else { throw UsageError("The FILE is missing.", hint: helpHint) }
    let file = path == "-" ? nil : try NewFile(path)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let passphrase = try Passphrase.read(arguments, isNew: true)
    let parameters = BackUpTeam.Parameters(team: arguments.value("team"), passphrase: passphrase)
    let reply = try connection.call(BackUpTeam.self, parameters)
    let written = try file?.write(reply.backup) ?? reply.backup
    try open(written, passphrase, reply.team, connection)
    if let file {
      try file.publish()
      let text = "Backed up the team \(TeamText.name(reply.team)) to \(Printable.text(path)), which opens."
      try output.result(["file": .string(path), "team": reply.team.json], text)
    } else {
      try output.result(reply.json, Printable.lines(reply.backup))
    }
    output.note(
      """
      Who has it and the passphrase can be this machine\(reply.team.administrator ? ", and admit others to the team" : ""). \
      Keep the two apart.
      """
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
      throw CommandError(ExitStatus(error), "The backup does not open again, so it was not kept: \(error)")
    }
  }
}
