// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

enum TeamJoinCommand: Command {
  static let words = ["team", "join"]
  static let group = HelpGroup.teams
  static let summary = localized("Join a team with a code from `baton team invite`.")
  static let details = localized(
    """
    Without CODE, the command asks for it and reads it from standard input; if CODE
    is -, it doesn't ask. Other users of this machine can see a code on the command
    line while the command runs.
    """
  )
  static let address = Option.text(
    "address",
    "HOST[:PORT]",
    completing: .host,
    localized(
      "The address of the machine that created the code, if it isn't found automatically. Baton remembers the address."
    )
  )
  static let options: [any AnyOption] = [address]
  static let operand: Operand? = .optional("CODE", limit: .code)
  static let examples: [CommandExample] = [
    ("baton team join", localized("Enter the code that `baton team invite` printed.")),
    ("baton team join --address 192.0.2.7", localized("Join through a machine that isn't found automatically.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let code = try code(arguments.operand, output, prompt: localized("Enter the code from `baton team invite`:"))
    let connection = try arguments.connect()
    // A firewall would hide the machine that created the code.
    try FirewallDialogue.run(arguments, output)
    if arguments[address] == nil { TeamText.noteWithoutDiscovery(arguments, output, isJoining: true) }
    let parameters = JoinTeam.Parameters(code: code, address: arguments[address])
    let reply = try connection.call(JoinTeam.self, parameters)
    try output.result(reply.json, localized("Joined the team \(TeamText.name(reply.team))."))
  }

  /// - Parameters:
  ///   - operand: The code; nil to ask for it, `-` to read it without asking.
  ///   - prompt: The question.
  static func code(_ operand: String?, _ output: Output, prompt: String) throws -> String {
    if let operand, operand != "-" { return operand }
    if operand == nil, isatty(STDIN_FILENO) != 0 { output.note(prompt) }
    let limit = LengthLimit.code
    let line: String
    do throws(SystemError) {
      line = try Descriptor.readLine(STDIN_FILENO, limit: limit.bytes).text
    } catch {
      throw StreamCopy.failure(of: .input, error)
    }
    try limit.check(line, localized("The first line of standard input"), hint: syntax.hint)
    guard line.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw CommandError(.invitationInvalid)
    }
    return line
  }
}
