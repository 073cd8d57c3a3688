import Activity
import ControlClient
import ControlInterface
import EventLoop
import Glibc
import JSONCoding

enum TeamJoinCommand: Command {
  static let words = ["team", "join"]
  static let synopsis = "[CODE | -] [--address HOST[:PORT]]"
  static let summary = "Join a team with a code that `baton team invite` printed on another machine."
  static let details = """
    Without CODE it is asked for, and read from standard input; with - it is read without asking. A code
    on the command line can be seen by other users of this machine while the command runs.
    """
  static let options: [Option] = [
    .value("address", "HOST[:PORT]", "The machine that made the code, where it is not found here; it is remembered.")
  ]
  static let operands = 1
  static let operandLimit = LengthLimit.code

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let prompt = "Invitation code, as `baton team invite` shows it:"
    let code = try code(arguments.operands.first, output, prompt: prompt)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = JoinTeam.Parameters(code: code, address: arguments.value("address"))
    let reply = try connection.call(JoinTeam.self, parameters)
    try output.result(reply.json, "Joined the team \(TeamText.name(reply.team)).")
  }

  /// - Parameters:
  ///   - operand: The code; nil to ask for it, `-` to read it without asking.
  ///   - prompt: The question.
  static func code(_ operand: String?, _ output: Output, prompt: String) throws -> String {
    if let operand, operand != "-" { return operand }
    if operand == nil, isatty(STDIN_FILENO) != 0 { output.note(prompt) }
    let line: String
    do throws(SystemError) {
      line = try Descriptors.readLine(STDIN_FILENO, limit: operandLimit.bytes)
    } catch {
      throw StreamCopy.failure(of: "input", error)
    }
    try operandLimit.check(line, "The first line of standard input", hint: helpHint)
    guard line.contains(where: { !$0.isWhitespace }) else { throw CommandError(.invitationInvalid) }
    return line
  }
}
