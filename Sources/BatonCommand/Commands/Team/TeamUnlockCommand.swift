import ControlClient
import ControlInterface
import JSONCoding

enum TeamUnlockCommand: Command {
  static let words = ["team", "unlock"]
  static let synopsis = "[--team ID] [--passphrase-file FILE]"
  static let summary =
    "Open the team's key for 15 minutes where it has a passphrase, and renew the certificates that wait."
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several."), Passphrase.option]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    let passphrase = try Passphrase.read(arguments, isNew: false, of: LockedKey.thing)
    let parameters = UnlockTeam.Parameters(team: arguments.value("team"), passphrase: passphrase)
    let reply = try connection.call(UnlockTeam.self, parameters)
    try output.result(
      reply.json,
      reply.team.passphrase
        ? "The key of the team \(TeamText.name(reply.team)) is open for 15 minutes."
        : "The key of the team \(TeamText.name(reply.team)) has no passphrase."
    )
  }
}
