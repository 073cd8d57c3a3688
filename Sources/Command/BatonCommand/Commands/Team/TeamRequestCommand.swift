import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum TeamRequestCommand: Command {
  static let words = ["team", "request"]
  static let summary = "Write a request to join a team without a network."
  static let details = """
    Take the file to a machine of the team, approve it there, and import the
    approval here:

        baton team request > request.pem
        baton team approve request.pem > approval.json      (on the team's machine)
        baton team import approval.json

    The request is not secret, but the approval is.
    """

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(RequestMembership.self, Nothing())
    try output.result(reply.json, Printable.lines(reply.request))
  }
}
