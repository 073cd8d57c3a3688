import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum PeersCommand: Command {
  static let words = ["peers"]
  static let synopsis = ""
  static let summary = "List the other machines of your teams, and whether they can be reached."

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let reply = try ControlConnection(path: arguments.value("socket")).call(ListPeers.self, Nothing())
    if reply.peers.isEmpty {
      output.note("No other machine of your teams is known.")
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
      head: ["DEVICE", "STATE", "ADDRESS", "ID", "TEAM", "WHY"]
    )
  }
}
