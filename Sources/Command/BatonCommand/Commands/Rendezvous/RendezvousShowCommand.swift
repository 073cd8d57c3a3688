// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousShowCommand: Command {
  static let words = ["rendezvous", "show"]
  static let group = HelpGroup.servers
  static let summary = localized("Show the servers your machines connect through.")
  static let examples: [CommandExample] = [
    ("baton rendezvous show", localized("See the servers of your teams.")),
    ("baton rendezvous show --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListRendezvous.self, Nothing())
    if reply.teams.isEmpty {
      output.note(localized("Your teams don't use a server. To set one up, run `baton rendezvous create`."))
    }
    if output.isJSON || !reply.teams.isEmpty {
      try output.result(reply.json, reply.teams.map(RendezvousText.describe).joined(separator: "\n\n"))
    }
  }
}

/// Where a team meets, for people.
enum RendezvousText {
  static func describe(_ rendezvous: ControlRendezvous) -> String {
    var lines = ["\(Printable.text(rendezvous.name)) (\(Printable.text(rendezvous.team)))", "  " + state(rendezvous)]
    lines += rendezvous.servers.map { "  " + localized("server: \(Printable.text($0))") }
    lines += rendezvous.relays.map { "  " + localized("relay: \(Printable.text($0))") }
    if let expires = rendezvous.expires {
      lines.append("  " + localized("access expires \(Times.relative(expires, to: Times.now))"))
    }
    if rendezvous.runsServers { lines.append("  " + localized("The team runs these servers itself.")) }
    return lines.joined(separator: "\n")
  }

  private static func state(_ rendezvous: ControlRendezvous) -> String {
    let server = Printable.text(rendezvous.server ?? "")
    switch rendezvous.state {
    case .ready:
      let count = rendezvous.devices
      return localized(
        Int(clamping: count),
        one: "connected to \(server), with \(count) other machine",
        other: "connected to \(server), with \(count) other machines"
      )
    case .connecting: return localized("connecting to \(server)")
    case .waiting: return localized("not connected to \(server): \(Printable.text(rendezvous.problem ?? ""))")
    case .off: return rendezvous.servers.isEmpty ? localized("no server") : localized("turned off on this machine")
    }
  }
}
