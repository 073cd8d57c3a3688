// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamRenewCommand: Command {
  static let words = ["team", "renew"]
  static let group = HelpGroup.teams
  static let summary = localized("Replace the team's key if it was lost or stolen.")
  static let details = localized(
    """
    Run this on one of the machines you still have. It creates a new team with the
    same name and prints a code. Then run `baton team renew --accept` on each of the
    others, and enter the code there. This replaces the old team with the new one;
    from then on, the machine connects only to the new team. If CODE is -, it's read
    from standard input without a prompt.

    The code is valid for an hour. After that, create a code for one machine with
    `baton team invite`; --accept works with that as well.
    """
  )
  private static let accept = Option.flag("accept", localized("Replace the team with the one the code is for."))
  private static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("The team to replace. Required if you're in more than one.")
  )
  static let options: [any AnyOption] = [
    accept, team, TeamJoinCommand.address, Confirmation.option, Passphrase.flag, Passphrase.option,
  ]
  static let operand = TeamJoinCommand.operand
  static let examples: [CommandExample] = [
    ("baton team renew", localized("Replace the key, on one machine.")),
    ("baton team renew --accept", localized("Move each of the other machines to the new team.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let isAcceptance = arguments[accept]
    let beginning: [any AnyOption] = [Confirmation.option, Passphrase.flag, Passphrase.option]
    if isAcceptance, let useless = beginning.map(\.declaration).first(where: { arguments.names.contains($0.name) }) {
      throw UsageError(localized("'\(useless.title)' has no effect with '--accept'."), hint: syntax.hint)
    }
    guard isAcceptance || (arguments.operand == nil && arguments[TeamJoinCommand.address] == nil) else {
      throw UsageError(localized("To use a code, add '--accept'."), hint: syntax.hint)
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
      localized(
        """
        This machine leaves the team \(TeamText.name(old)) for a new one with the same name and a new key. One code lets
        your other machines follow. Until a machine follows, it stays in the old team, together with anyone who has the
        old key, and can't connect to this one. This can't be undone.
        """
      ),
      arguments,
      output
    )
    let passphrase = try Passphrase.readIfWanted(arguments)
    let parameters = RenewTeam.Parameters(team: old.id.description, passphrase: passphrase)
    let reply = try connection.call(RenewTeam.self, parameters)
    try output.result(reply.json, text(reply, output))
    if old.passphrase, passphrase == nil {
      output.note(
        localized("The old key had a passphrase, but the new one has none. To set one, run `baton team passphrase`.")
      )
    }
  }

  private static func text(_ reply: RenewTeam.Reply, _ output: Output) -> String {
    localized(
      """
      Created the team \(TeamText.name(reply.team)), which replaces \(Printable.text(reply.replaced)).

          \(output.strong(Printable.text(reply.code)))

      On each of your other machines, run

          baton team renew --accept

      and enter this code. It's for the machines of the old team, and expires \
      \(Times.relative(reply.expires, to: Times.now)), at \(Times.clock(reply.expires)).
      Anyone with the old key can also create such a code, so enter only the one you see here.
      To see which machines have followed, run `baton team machines`. Make a new backup, and destroy the old ones.
      """
    )
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
      prompt: localized("Enter the code from `baton team renew`, as shown on the first machine:")
    )
    let id = old.id.description
    let parameters = JoinTeam.Parameters(code: code, address: arguments[TeamJoinCommand.address], replaces: id)
    let reply = try connection.call(JoinTeam.self, parameters)
    try output.result(reply.json, localized("The team \(TeamText.name(reply.team)) now replaces \(id)."))
  }
}
