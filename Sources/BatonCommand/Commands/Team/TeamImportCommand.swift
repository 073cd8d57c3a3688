import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamImportCommand: Command {
  static let words = ["team", "import"]
  static let synopsis = "[FILE]"
  static let summary = "Join with the approval of a request that this machine made."
  static let details = "FILE is what `baton team approve` wrote; standard input without it."
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let approval = try TeamFile.read(arguments.operands.first, orElse: .approvalInvalid)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let reply = try connection.call(ImportApproval.self, ImportApproval.Parameters(approval: approval))
    try output.result(reply.json, "Joined the team \(TeamText.name(reply.team)).")
  }
}
