import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachineAcceptCommand: Command {
  static let words = ["machine", "accept"]
  static let formerWords = [["peer", "accept"]]
  static let group = HelpGroup.teams
  static let summary = "Let a machine have its name, though another one had it."
  static let details = """
    A name belongs to the first machine of the team that has it. If another one
    calls itself so, its name has the first digits of its ID here, and nothing goes
    to it by the name alone. Use this command if the new machine is yours, for
    example because you have set it up again.

    MACHINE is its ID, a prefix of it, or its name as `baton machines` shows it.

    With --json, the output is {"device", "deviceID", "team", "former"}. The former
    is the ID of the machine that had the name.
    """
  private static let team = Option.text("team", "ID", completing: .team, "The machine's team.")
  static let options: [any AnyOption] = [team]
  static let operand: Operand? = .required("MACHINE", .machine)
  static let examples: [CommandExample] = [
    ("baton machine accept 7F3A91C2", localized("Let the machine with this ID keep its name.")),
    ("baton machine accept 7F3A91C2 --team K7Q2M9XW4T", localized("Do the same in one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let recipient = try Recipient.met(arguments.requiredOperand, team: arguments[team], arguments.connect())
    let parameters = AcceptName.Parameters(deviceID: recipient.deviceID, team: recipient.team)
    let reply = try arguments.connect().call(AcceptName.self, parameters)
    let name = "\(reply.deviceID.text.prefix(8)) is called \(Printable.text(reply.device))."
    let former = reply.former.map { " The name belonged to \($0.text.prefix(8))." } ?? ""
    try output.result(reply.json, name + former)
  }
}
