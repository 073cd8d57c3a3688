import ControlClient
import ControlInterface
import JSONCoding

enum PeerListCommand: Command {
  static let words = ["peer", "list"]
  static let synopsis = ""
  static let summary = "List the machines that were named with `baton peer add`."
  static let details = "`baton peers` lists all machines, however they were found."

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let reply = try ControlConnection(path: arguments.value("socket")).call(ListStaticPeers.self, Nothing())
    if reply.peers.isEmpty { output.note("No machine was named; `baton peer add HOST` names one.") }
    if output.isJSON || !reply.peers.isEmpty { try output.result(reply.json, PeerText.list(reply.peers)) }
  }
}
