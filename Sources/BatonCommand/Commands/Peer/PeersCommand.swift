import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import JSONCoding

enum PeersCommand: Command {
  static let words = ["peers"]
  static let summary = "List your other machines, and whether they can be reached."

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListPeers.self, Nothing())
    if reply.peers.isEmpty {
      output.note("No other machines of your teams are known.")
      TeamText.noteWithoutTeam(arguments, output)
    }
    if output.isJSON || !reply.peers.isEmpty { try output.result(reply.json, text(reply.peers)) }
  }

  private static func text(_ peers: [ControlPeer]) -> String {
    let severalTeams = Set(peers.map(\.team)).count > 1
    return Table.text(
      peers.map { peer in
        [
          Printable.text(peer.device), peer.state.rawValue, Printable.text(peer.address ?? ""),
          peer.deviceID.description, severalTeams ? Printable.text(peer.team) : "",
          peer.reason?.explanation ?? "",
        ]
      },
      head: ["DEVICE", "STATE", "ADDRESS", "ID", "TEAM", "REASON"]
    )
  }
}
