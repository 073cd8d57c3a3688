import Activity
import ControlInterface

/// What the verbs for static peers have in common.
enum PeerText {
  /// - Throws: `UsageError` if no address was given.
  static func address(_ arguments: ArgumentList, hint: String) throws(UsageError) -> String {
    guard let address = arguments.operands.first else {
      throw UsageError("The machine's address is missing.", hint: hint)
    }
    return address
  }

  static func list(_ peers: [ControlStaticPeer]) -> String {
    let severalTeams = Set(peers.map(\.team)).count > 1
    return Table.text(
      peers.map { peer in
        [
          Printable.text(peer.address), state(peer.state), Printable.text(peer.device ?? ""),
          severalTeams ? Printable.text(peer.team) : "", peer.reason?.explanation ?? "",
        ]
      },
      head: ["ADDRESS", "STATE", "DEVICE", "TEAM", "WHY"]
    )
  }

  private static func state(_ state: ControlStaticPeer.State) -> String {
    state == .thisMachine ? "this machine" : state.rawValue
  }
}
