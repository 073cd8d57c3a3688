import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum TeamApproveCommand: Command {
  static let words = ["team", "approve"]
  static let summary = "Approve another machine's request to join your team."
  static let details = """
    FILE is the request that `baton team request` wrote; the default is standard
    input. The approval goes to standard output.
    """
  static let options: [any AnyOption] = [TeamOption.one, Passphrase.option]
  static let operand: Operand? = .optional("FILE", .file)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let request = try TeamFile.read(arguments.operand, orElse: .requestInvalid)
    let connection = try arguments.connect()
    let parameters = ApproveRequest.Parameters(request: request, team: arguments[TeamOption.one])
    let reply = try LockedKey.call(ApproveRequest.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, Printable.lines(reply.approval))
    output.note(
      """
      Approved for the team \(TeamText.name(reply.team)).
      Keep the approval secret, and import it on the other machine with `baton team import`.
      """
    )
  }
}
