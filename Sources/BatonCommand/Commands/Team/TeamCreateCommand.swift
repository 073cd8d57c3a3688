import ControlClient
import ControlInterface
import JSONCoding

enum TeamCreateCommand: Command {
  static let words = ["team", "create"]
  static let synopsis = "NAME [--passphrase | --passphrase-file FILE]"
  static let summary = "Make a team, with this machine as its first."
  static let options: [Option] = [Passphrase.flag, Passphrase.option]
  static let operands = 1
  static let operandLimit = LengthLimit.teamName

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let name = arguments.operands.first else { throw UsageError("The team's NAME is missing.", hint: helpHint) }
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = CreateTeam.Parameters(name: name, passphrase: try Passphrase.readIfWanted(arguments))
    let reply = try connection.call(CreateTeam.self, parameters)
    try output.result(
      reply.json,
      """
      Created the team \(TeamText.name(reply.team)).
      `baton team invite` makes a code for the next machine.
      """
    )
  }
}
