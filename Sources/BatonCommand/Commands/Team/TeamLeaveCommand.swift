import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamLeaveCommand: Command {
  static let words = ["team", "leave"]
  static let synopsis = "TEAM"
  static let summary = "Leave a team; the last user of it here takes its keys along. TEAM is its ID."
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    guard let team = arguments.operands.first else { throw UsageError("The team's ID is missing.", hint: helpHint) }
    let connection = try ControlConnection(path: arguments.value("socket"))
    _ = try connection.call(LeaveTeam.self, LeaveTeam.Parameters(team: team))
    try output.result(["left": .string(team)], "Left the team \(Printable.text(team)).")
  }
}
