import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousShowCommand: Command {
  static let words = ["rendezvous", "show"]
  static let group = HelpGroup.servers
  static let summary = "Show where your machines meet if they share no network."
  static let examples: [CommandExample] = [
    ("baton rendezvous show", localized("See the servers of your teams.")),
    ("baton rendezvous show --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListRendezvous.self, Nothing())
    if reply.teams.isEmpty {
      output.note("Your teams meet only on their networks. To change that, run `baton rendezvous create`.")
    }
    if output.isJSON || !reply.teams.isEmpty {
      try output.result(reply.json, reply.teams.map(RendezvousText.describe).joined(separator: "\n\n"))
    }
  }
}

/// Where a team meets, for people.
enum RendezvousText {
  static func describe(_ rendezvous: ControlRendezvous) -> String {
    var lines = ["\(Printable.text(rendezvous.name)) (\(Printable.text(rendezvous.team)))", state(rendezvous)]
    lines += rendezvous.servers.map { "  server  \(Printable.text($0))" }
    lines += rendezvous.relays.map { "  relay   \(Printable.text($0))" }
    if let expires = rendezvous.expires { lines.append("  access  ends \(Times.relative(expires, to: Times.now))") }
    if rendezvous.runsServers { lines.append("  The team runs these servers itself.") }
    return lines.joined(separator: "\n")
  }

  private static func state(_ rendezvous: ControlRendezvous) -> String {
    let server = Printable.text(rendezvous.server ?? "")
    switch rendezvous.state {
    case .ready:
      let others = rendezvous.devices == 1 ? "1 other machine" : "\(rendezvous.devices) other machines"
      return "  connected to \(server), with \(others)"
    case .connecting: return "  connecting to \(server)"
    case .waiting: return "  not connected: \(server): \(Printable.text(rendezvous.problem ?? ""))"
    case .off: return rendezvous.servers.isEmpty ? "  no server" : "  switched off on this machine"
    }
  }
}
