import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import JSONCoding

enum TeamLeaveCommand: Command {
  static let words = ["team", "leave"]
  static let summary = "Leave a team."
  static let details = """
    TEAM is the ID of the team, as `baton team list` shows it. When the last of its
    users on this machine leaves, its keys are deleted.
    """
  static let operand: Operand? = .required("TEAM", .team)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let team = arguments.requiredOperand
    let connection = try arguments.connect()
    _ = try connection.call(LeaveTeam.self, LeaveTeam.Parameters(team: team))
    try output.result(["left": .string(team)], "Left the team \(Printable.text(team)).")
  }
}
