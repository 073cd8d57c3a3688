import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum RendezvousImportCommand: Command {
  static let words = ["rendezvous", "import"]
  static let summary = "Use an organization's servers that accepted your team."
  static let details = """
    FILE is the answer of `baton rendezvous authorize`; the default is standard
    input.
    """
  static let options: [any AnyOption] = [TeamOption.one]
  static let operand: Operand? = .optional("FILE", .file)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let approval = try TeamFile.read(arguments.operand, orElse: .approvalInvalid)
    let parameters = ImportRendezvous.Parameters(approval: approval, team: arguments[TeamOption.one])
    let reply = try arguments.connect().call(ImportRendezvous.self, parameters)
    try output.result(reply.json, RendezvousText.describe(reply.rendezvous))
  }
}
