// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachinesCommand: Command {
  static let words = ["machines"]
  private static let long = Option.flag("long", localized("Show full Device IDs instead of shortened ones."))
  static let options: [any AnyOption] = [long]
  static let formerWords = [["peers"]]
  static let group = HelpGroup.teams
  static let summary = localized("List your other machines and how they're connected.")
  static let examples: [CommandExample] = [
    ("baton machines", localized("See which of your machines are online.")),
    ("baton machines --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let reply = try arguments.connect().call(ListPeers.self, Nothing())
    if reply.peers.isEmpty {
      output.note(localized("No other machines in your teams are known yet."))
      TeamText.noteWithoutTeam(arguments, output)
    }
    if output.isJSON || !reply.peers.isEmpty { try output.result(reply.json, text(reply, isLong: arguments[long])) }
  }

  private static func text(_ reply: ListPeers.Reply, isLong: Bool) -> String {
    let peers = reply.peers
    let severalTeams = Set(peers.map(\.team)).count > 1
    return Table.text(
      peers.enumerated().map { index, peer in
        [
          Printable.text(peer.device), state(peer, isFound: index < reply.found.count),
          Printable.text(peer.address ?? ""),
          way(peer),
          isLong ? peer.deviceID.text : peer.deviceID.description,
          severalTeams ? Printable.text(peer.team) : "",
          peer.reason?.explanation ?? "",
        ]
      },
      head: [
        localized("MACHINE"), localized("STATE"), localized("ADDRESS"), localized("PATH"), localized("ID"),
        localized("TEAM"), localized("REASON"),
      ]
    )
  }

  /// `online`, `offline since 14:32`.
  private static func state(_ peer: ControlPeer, isFound: Bool) -> String {
    switch peer.state {
    case .connected where isFound: return PeerText.online
    case .connecting where isFound: return PeerText.connecting
    default:
      guard let since = peer.awaySince, peer.state == .unreachable else { return PeerText.offline }
      return localized("offline since \(Times.moment(Double(since), at: Times.now))")
    }
  }

  /// How the session reaches the machine, and the time of a round trip.
  private static func way(_ peer: ControlPeer) -> String {
    guard let path = peer.path else { return "" }
    guard let time = peer.roundTrip else { return path.rawValue }
    let digits = time < 10 ? 1 : 0
    return "\(path.rawValue), \(Self.rounded(time, digits)) ms"
  }

  private static func rounded(_ number: Double, _ digits: Int) -> String {
    guard digits > 0 else { return "\(Int(number.rounded()))" }
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
