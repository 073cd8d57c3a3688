import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRenewCommand: Command {
  static let words = ["team", "renew"]
  static let group = HelpGroup.teams
  static let summary = "Replace the team's key if it was lost or stolen."
  static let details = """
    Run this on one of the machines that are left. It makes a new team with the same
    name, and shows a code. Then run `baton team renew --accept` on each of the
    others, and enter the code there. That replaces the old team with the new one;
    from then on, the machine talks only to the new team. If CODE is -, it is read
    from standard input without asking.

    The code is valid for an hour. After that, make a code for one machine with
    `baton team invite`; --accept takes that one, too.
    """
  private static let accept = Option.flag("accept", "Replace the team with the one that the code is for.")
  private static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    "The team to replace; needed if you are in several."
  )
  static let options: [any AnyOption] = [
    accept, team, TeamJoinCommand.address, Confirmation.option, Passphrase.flag, Passphrase.option,
  ]
  static let operand = TeamJoinCommand.operand
  static let examples: [CommandExample] = [
    ("baton team renew", localized("Replace the key, on one machine.")),
    ("baton team renew --accept", localized("Follow with each of the other machines.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let isAcceptance = arguments[accept]
    let beginning: [any AnyOption] = [Confirmation.option, Passphrase.flag, Passphrase.option]
    if isAcceptance, let useless = beginning.map(\.declaration).first(where: { arguments.names.contains($0.name) }) {
      throw UsageError("'\(useless.title)' has no effect with '--accept'.", hint: syntax.hint)
    }
    guard isAcceptance || (arguments.operand == nil && arguments[TeamJoinCommand.address] == nil) else {
      throw UsageError("A code needs '--accept'.", hint: syntax.hint)
    }
    let connection = try arguments.connect()
    let old = try MeantTeam.find(arguments[team], connection)
    try isAcceptance ? accept(old, arguments, connection, output) : begin(old, arguments, connection, output)
  }

  // MARK: The machine that begins

  private static func begin(
    _ old: ControlTeam,
    _ arguments: ParsedArguments,
    _ connection: ControlConnection,
    _ output: Output
  ) throws {
    try Confirmation.ask(
      """
      This machine leaves the team \(TeamText.name(old)) for a new one with the same name and a new key. One code lets
      your other machines follow. Until a machine follows, it stays in the old team, together with anyone who has the old
      key, and does not meet this one. This cannot be undone.
      """,
      arguments,
      output
    )
    let passphrase = try Passphrase.readIfWanted(arguments)
    let parameters = RenewTeam.Parameters(team: old.id.description, passphrase: passphrase)
    let reply = try connection.call(RenewTeam.self, parameters)
    try output.result(reply.json, text(reply, output))
    if old.passphrase, passphrase == nil {
      output.note("The old key had a passphrase, but the new one has none. To set one, run `baton team passphrase`.")
    }
  }

  private static func text(_ reply: RenewTeam.Reply, _ output: Output) -> String {
    """
    Created the team \(TeamText.name(reply.team)), which replaces \(Printable.text(reply.replaced)).

        \(output.strong(Printable.text(reply.code)))

    On each of your other machines, run

        baton team renew --accept

    and enter this code. It is for the machines of the old team, and expires \
    \(Times.relative(reply.expires, to: Times.now)), at \(Times.clock(reply.expires)).
    Anyone with the old key can make such a code, too, so enter only the one that you have read here yourself.
    To see which machines have followed, run `baton team machines`. Make a new backup, and destroy the old ones.
    """
  }

  // MARK: The others

  private static func accept(
    _ old: ControlTeam,
    _ arguments: ParsedArguments,
    _ connection: ControlConnection,
    _ output: Output
  ) throws {
    let code = try TeamJoinCommand.code(
      arguments.operand,
      output,
      prompt: "Enter the code from `baton team renew`, as shown on the first machine:"
    )
    let id = old.id.description
    let parameters = JoinTeam.Parameters(code: code, address: arguments[TeamJoinCommand.address], replaces: id)
    let reply = try connection.call(JoinTeam.self, parameters)
    try output.result(reply.json, "The team \(TeamText.name(reply.team)) now replaces \(id).")
  }
}
