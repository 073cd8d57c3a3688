import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamRequestCommand: Command {
  static let words = ["team", "request"]
  static let synopsis = "> FILE"
  static let summary = "Without a network: write a request to join, for `baton team approve`."
  static let details = """
    Carry the file to a machine of the team, approve it there, and import the approval here:

        baton team request > request.pem
        baton team approve request.pem > approval.json      (on the team's machine)
        baton team import approval.json

    The request is no secret; the approval is.
    """

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let reply = try ControlConnection(path: arguments.value("socket")).call(RequestMembership.self, Nothing())
    try output.result(reply.json, Printable.lines(reply.request))
  }
}
