import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamApproveCommand: Command {
  static let words = ["team", "approve"]
  static let synopsis = "[FILE] [--team ID] [--passphrase-file FILE] > APPROVAL"
  static let summary = "Approve a request of another machine, and write what it imports."
  static let details = "FILE is what `baton team request` wrote; standard input without it."
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several."), Passphrase.option]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let request = try TeamFile.read(arguments.operands.first, orElse: .requestInvalid)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = ApproveRequest.Parameters(request: request, team: arguments.value("team"))
    let reply = try LockedKey.call(ApproveRequest.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, Printable.lines(reply.approval))
    output.note(
      "Approved for the team \(TeamText.name(reply.team)). Keep the approval secret, and import it with `baton team import`."
    )
  }
}
