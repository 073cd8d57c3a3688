import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamInviteCommand: Command {
  static let words = ["team", "invite"]
  static let synopsis = "[--team ID] [--passphrase-file FILE]"
  static let summary = "Make a code that admits one machine to your team."
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several."), Passphrase.option]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = InviteDevice.Parameters(team: arguments.value("team"))
    let reply = try LockedKey.call(InviteDevice.self, parameters, team: parameters.team, arguments, on: connection)
    try output.result(reply.json, text(reply, output))
  }

  private static func text(_ reply: InviteDevice.Reply, _ output: Output) -> String {
    return """

          \(output.strong(Printable.text(reply.code)))

      On the other machine, type

          baton team join

      and enter this code there. It admits one machine, and expires \(Times.relative(reply.expires, to: Times.now)), at \
      \(Times.clock(reply.expires)).
      Who has the code can join: show it to nobody else.
      """
  }
}
