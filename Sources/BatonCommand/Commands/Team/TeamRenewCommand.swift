import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum TeamRenewCommand: Command {
  static let words = ["team", "renew"]
  static let synopsis = "[--team ID] [--yes] [--passphrase] | --accept [CODE | -] [--team ID] [--address HOST[:PORT]]"
  static let summary =
    "Make a new key for your team where the old one was lost or stolen, or take it over with --accept."
  static let details = """
    On one of the machines that are left it makes a new team of the same name, and shows a code. On each
    other one, `baton team renew --accept` asks for the code and replaces the old team by the new one. A
    machine that has done so talks to the new team alone. The code is good for an hour; later, `baton team
    invite` makes one for a single machine, which --accept takes as well. CODE may be - for standard input.
    """
  static let options: [Option] = [
    .flag("accept", "Takes over what another machine has made."),
    .value("team", "ID", "The team that is replaced; needed where you have several."),
    .value("address", "HOST[:PORT]", "The machine that made the code, where it is not found here; it is remembered."),
    Confirmation.option, Passphrase.flag, Passphrase.option,
  ]
  static let operands = 1
  static let operandLimit = LengthLimit.code

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let isAcceptance = arguments.has("accept")
    for option in ["yes", "passphrase", "passphrase-file"] where isAcceptance && arguments.has(option) {
      throw UsageError("--\(option) is of no use with --accept.", hint: helpHint)
    }
    guard isAcceptance || (arguments.operands.isEmpty && !arguments.has("address")) else {
      throw UsageError("A code is taken over with --accept.", hint: helpHint)
    }
    let connection = try ControlConnection(path: arguments.value("socket"))
    let old = try team(arguments.value("team"), connection)
    try isAcceptance ? accept(old, arguments, connection, output) : begin(old, arguments, connection, output)
  }

  /// The team that must be replaced.
  private static func team(_ text: String?, _ connection: ControlConnection) throws -> ControlTeam {
    let teams = try connection.call(ListTeams.self, Nothing()).teams
    let meant = teams.filter { text == nil || $0.id.description == text?.uppercased() || $0.name == text }
    guard let team = meant.first else { throw CommandError(.teamNotFound) }
    guard meant.count == 1 else { throw CommandError(.teamAmbiguous) }
    return team
  }

  // MARK: The machine that begins

  private static func begin(
    _ old: ControlTeam,
    _ arguments: ArgumentList,
    _ connection: ControlConnection,
    _ output: Output
  ) throws {
    try Confirmation.ask(
      """
      This machine leaves the team \(TeamText.name(old)) for a new one of that name, with a key of its own. It meets your other
      machines again when you have taken each of them along, with one code. Until then each stays in the old team, and with
      whoever has the old team's key. That cannot be undone.
      """,
      arguments,
      output
    )
    let passphrase = try Passphrase.readIfWanted(arguments)
    let parameters = RenewTeam.Parameters(team: old.id.description, passphrase: passphrase)
    let reply = try connection.call(RenewTeam.self, parameters)
    try output.result(reply.json, text(reply, output))
    if old.passphrase, passphrase == nil {
      output.note(
        "The old team's key had a passphrase, and the new one has none: `baton team passphrase` gives it one."
      )
    }
  }

  private static func text(_ reply: RenewTeam.Reply, _ output: Output) -> String {
    """
    Made the new team \(TeamText.name(reply.team)) in the place of \(Printable.text(reply.replaced)).

        \(output.strong(Printable.text(reply.code)))

    On each of your other machines, type

        baton team renew --accept

    and enter this code there. It is for the machines of the old team, and expires \
    \(Times.relative(reply.expires, to: Times.now)), at \(Times.clock(reply.expires)).
    Enter no code that you have not read here yourself: who stole the old key can make one, too.
    `baton team devices` lists which machines have come along. Make a new backup, and destroy those of the old team.
    """
  }

  // MARK: The others

  private static func accept(
    _ old: ControlTeam,
    _ arguments: ArgumentList,
    _ connection: ControlConnection,
    _ output: Output
  ) throws {
    let code = try TeamJoinCommand.code(
      arguments.operands.first,
      output,
      prompt: "Code, as `baton team renew` shows it on the machine that you have begun with:"
    )
    let id = old.id.description
    let parameters = JoinTeam.Parameters(code: code, address: arguments.value("address"), replaces: id)
    let reply = try connection.call(JoinTeam.self, parameters)
    try output.result(reply.json, "The team \(TeamText.name(reply.team)) is in the place of \(id) now.")
  }
}
