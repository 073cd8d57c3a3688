import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum PeerRemoveCommand: Command {
  static let words = ["peer", "remove"]
  static let synopsis = "HOST[:PORT] [--team ID]"
  static let summary = "Undo `baton peer add`; a connection that is there stays."
  static let options: [Option] = [.value("team", "ID", "Only of this team; otherwise of all your teams.")]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let address = try PeerText.address(arguments, hint: helpHint)
    let connection = try ControlConnection(path: arguments.value("socket"))
    _ = try connection.call(RemovePeer.self, RemovePeer.Parameters(address: address, team: arguments.value("team")))
    try output.result(["removed": .string(address)], "Removed \(Printable.text(address)).")
  }
}
