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
  static let summary = "Show what the daemon is doing."
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
    try output.result(
      .object(members),
      text(status) + (search.map { "\n" + pad("Search:") + SearchText.summary($0) } ?? "")
    )
  }

  private static func text(_ status: GetStatus.Reply) -> String {
    let discovery =
      switch status.discovery {
      case .running: "running"
      case .muted: "running, but Avahi lets no program announce this machine; see baton doctor"
      case .connecting: "waiting for Avahi; is avahi-daemon running?"
      case .disabled: "disabled in the configuration"
      }
    let teams = status.teams.map { team in
      TeamText.name(team) + (team.administrator ? ", administrator" : "")
    }
    let withheld =
      switch status.withheld {
      case nil: ""
      case .screenLocked: ", not offered while the screen is locked"
      case .asleep: ", not offered while the machine goes to sleep"
      case .notEligible: ", not offered: its app keeps it on this machine"
      case .some(let reason): ", not offered: \(reason.rawValue)"
      }
    let current = status.current.map { ActivityText.name(title: $0.title, type: $0.activityType) + withheld }
    let rows =
      [
        ["Device", Printable.text(status.device)],
        ["Daemon", "batond \(Printable.text(status.version)), port \(status.port)"],
        ["Discovery", discovery],
        ["Current", current ?? "nothing is offered from this machine"],
        ["Peers", "\(status.sessions) connected" + (streams(status.streams))],
      ]
      + (teams.isEmpty ? ["none; run `baton team create NAME` or `baton team join`"] : teams).enumerated().map {
        [$0.offset == 0 ? "Team" : "", $0.element]
      }
      + [("So far", CounterText.traffic(status.counters)), ("Failures", CounterText.failures(status.counters))]
      .compactMap {
        label,
        text in text.map { [label, $0] }
      }
    return rows.map { row in row[0].isEmpty ? "           \(row[1])" : pad(row[0] + ":") + row[1] }
      .joined(separator: "\n")
  }

  private static func streams(_ count: Int) -> String {
    switch count {
    case 0: ""
    case 1: ", 1 stream"
    default: ", \(count) streams"
    }
  }

  private static func pad(_ label: String) -> String {
    label + String(repeating: " ", count: max(1, 11 - label.count))
  }
}
