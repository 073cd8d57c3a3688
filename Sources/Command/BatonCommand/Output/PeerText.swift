import Activity
import ControlInterface

/// Describes the peers that the user added.
enum PeerText {
  static func list(_ peers: [ControlStaticPeer]) -> String {
    let severalTeams = Set(peers.map(\.team)).count > 1
    return Table.text(
      peers.map { peer in
        [
          Printable.text(peer.address), state(peer.state), Printable.text(peer.device ?? ""),
          severalTeams ? Printable.text(peer.team) : "", peer.reason?.explanation ?? "",
        ]
      },
      head: ["ADDRESS", "STATE", "MACHINE", "TEAM", "REASON"]
    )
  }

  private static func state(_ state: ControlStaticPeer.State) -> String {
    state == .thisMachine ? "this machine" : state.rawValue
  }
}
