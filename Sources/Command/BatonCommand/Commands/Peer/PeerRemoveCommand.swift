import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum PeerRemoveCommand: Command {
  static let words = ["peer", "remove"]
  static let summary = "Undo `baton peer add`. An existing connection stays."
  private static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    "Only for this team. The default is all your teams."
  )
  static let options: [any AnyOption] = [team]
  static let operand: Operand? = .required("HOST[:PORT]", .peerAddress)

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let address = arguments.requiredOperand
    let connection = try arguments.connect()
    do throws(ControlError) {
      _ = try connection.call(RemovePeer.self, RemovePeer.Parameters(address: address, team: arguments[team]))
    } catch {
      guard case .failed(let failure) = error, failure.reason == .peerNotFound else { throw error }
      throw CommandError(
        .peerNotFound,
        "\(Printable.text(address)) was not added; `baton peer list` shows what was, with the ports."
      )
    }
    try output.result(["removed": .string(address)], "Removed \(Printable.text(address)).")
  }
}
