import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum TeamImportCommand: Command {
  static let words = ["team", "import"]
  static let summary = "Join a team with the approval of this machine's request."
  static let details = "FILE is the approval from `baton team approve`; the default is standard input."
  static let operand: Operand? = .optional("FILE", .file)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let approval = try TeamFile.read(arguments.operand, orElse: .approvalInvalid)
    let connection = try arguments.connect()
    let reply = try connection.call(ImportApproval.self, ImportApproval.Parameters(approval: approval))
    try output.result(reply.json, "Joined the team \(TeamText.name(reply.team)).")
  }
}
