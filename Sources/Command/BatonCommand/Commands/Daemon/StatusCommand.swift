// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import Search
import VarlinkClient

enum StatusCommand: Command {
  static let words = ["status"]
  static let group = HelpGroup.diagnosis
  static let summary = localized("Show the state of this machine, its teams and connections.")
  static let examples: [CommandExample] = [
    ("baton status", localized("See this machine, its teams and connections.")),
    ("baton status --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let status = try arguments.connect().call(GetStatus.self, Nothing())
    // Without an agent, there is no index.
    let search = try? ControlConnection(searchPath: nil).call(GetSearchStatus.self, Nothing())
    var members = status.members
    members["search"] = search?.json
    try output.result(.object(members), text(status, search))
  }

  private static func text(_ status: GetStatus.Reply, _ search: GetSearchStatus.Reply?) -> String {
    let discovery =
      switch status.discovery {
      case .running: localized("running")
      case .muted: localized("running, but Avahi doesn't let programs announce this machine (see `baton doctor`)")
      case .connecting: localized("waiting for Avahi (is avahi-daemon running?)")
      case .disabled: localized("turned off in batond.conf")
      }
    let teams = status.teams.map { team in
      team.administrator ? localized("\(TeamText.name(team)), admin machine") : TeamText.name(team)
    }
    let offer = status.current.map {
      described(ActivityText.name(title: $0.title, type: $0.activityType), status.withheld)
    }
    let rows: [(label: String, text: String?)] =
      [
        (localized("Machine:"), Printable.text(status.device)),
        (localized("Daemon:"), localized("batond \(Printable.text(status.version)), port \(status.port)")),
        (localized("Discovery:"), discovery), (localized("Offered:"), offer ?? localized("nothing")),
        (localized("Online:"), connections(status)),
      ]
      + (teams.isEmpty ? [localized("none (run `baton team create NAME` or `baton team join`)")] : teams).enumerated()
      .map { ($0.offset == 0 ? localized("Team:") : "", $0.element) }
      + [
        (localized("So far:"), CounterText.traffic(status.counters)),
        (localized("Failures:"), CounterText.failures(status.counters)),
        (localized("Search:"), search.map { SearchText.summary($0) }),
      ]
    return Table.lines(rows)
  }

  /// What this machine offers, and why others do not see it.
  private static func described(_ name: String, _ withheld: Reason?) -> String {
    switch withheld {
    case nil: name
    case .screenLocked: localized("\(name), hidden while the screen is locked")
    case .asleep: localized("\(name), hidden while the machine is going to sleep")
    case .notEligible: localized("\(name), hidden because its app doesn't share it")
    case .some(let reason): localized("\(name), hidden: \(reason.rawValue)")
    }
  }

  private static func connections(_ status: GetStatus.Reply) -> String {
    let machines = localized(
      Int(clamping: status.sessions),
      one: "\(status.sessions) other machine",
      other: "\(status.sessions) other machines"
    )
    guard status.streams > 0 else { return machines }
    let streams = localized(
      Int(clamping: status.streams),
      one: "\(status.streams) live connection",
      other: "\(status.streams) live connections"
    )
    return "\(machines), \(streams)"
  }
}
