import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum PeerAddCommand: Command {
  static let words = ["peer", "add"]
  static let synopsis = "HOST[:PORT] [--team ID]"
  static let summary = "Name a machine of your team that is not found by itself, as over a VPN."
  static let details = """
    The machine is dialled there whenever it is not connected, until `baton peer remove`. One side is enough:
    where the address leads to a machine of the team, both offer their activities to each other. HOST is a name
    or an address; an IPv6 address with a port is written [ADDRESS]:PORT.
    """
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several.")]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let address = try PeerText.address(arguments, hint: helpHint)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = AddPeer.Parameters(address: address, team: arguments.value("team"))
    let reply = try connection.call(AddPeer.self, parameters)
    let name = Printable.text(reply.peer.address)
    try output.result(reply.json, "Added \(name); `baton peer list` shows whether it answers.")
  }
}
