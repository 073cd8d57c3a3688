import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

enum PeerListCommand: Command {
  static let words = ["peer", "list"]
  static let summary = "List the addresses that you added with `baton peer add`."
  static let details = "To list all machines, however they were found, run `baton peers`."

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListStaticPeers.self, Nothing())
    if reply.peers.isEmpty { output.note("There are no added addresses. To add one, run `baton peer add HOST`.") }
    if output.isJSON || !reply.peers.isEmpty { try output.result(reply.json, PeerText.list(reply.peers)) }
  }
}
