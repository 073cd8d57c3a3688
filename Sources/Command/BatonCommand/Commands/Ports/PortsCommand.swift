// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Desktop
import JSONCoding
import Localization
import Varlink
import VarlinkClient

enum PortsCommand: Command {
  static let words = ["ports"]
  static let group = HelpGroup.files
  static let summary = localized("List, allow, refuse and forget ports for other machines.")
  static let details = localized(
    """
    When another machine continues a page of a server on this machine, such as
    http://localhost:8000, Baton asks here before it forwards the port. --allow and
    --refuse answer, or decide in advance. The answer applies to the machines of one
    team and is remembered. --forget makes Baton ask again. --refuse and --forget
    also end the port's connections. Each can be given several times.

    The list also shows the pages that are open, with the addresses of other
    machines' pages on this one.

    With --json, the output is {"allowed": [{"port", "team", "teamName"}],
    "refused": [{"port", "team", "teamName"}], "questions": [{"port", "team",
    "teamName", "device"}], "pages": [{"origin", "device", "ports": [{"port",
    "address"}], "connections"}]}.
    """
  )
  static let allow = Option.list("allow", "PORT", localized("Let the machines of a team use PORT."))
  static let refuse = Option.list("refuse", "PORT", localized("Don't let the machines of a team use PORT."))
  static let forget = Option.list("forget", "PORT", localized("Ask again before other machines use PORT."))
  static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("The team, if you're in more than one.")
  )
  static let options: [any AnyOption] = [allow, refuse, forget, team]
  static let commonOptions = SearchOptions.common
  static let examples: [CommandExample] = [
    ("baton ports", localized("See which ports other machines may use.")),
    ("baton ports --allow 8000", localized("Let your other machines show pages from port 8000.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let given = [allow, refuse, forget].filter { !arguments[$0].isEmpty }
    guard given.count <= 1 else {
      throw UsageError(localized("'--allow', '--refuse' and '--forget' can't be combined."), hint: syntax.hint)
    }
    guard arguments[team] == nil || !given.isEmpty else {
      throw UsageError(localized("'--team' needs '--allow', '--refuse' or '--forget'."), hint: syntax.hint)
    }
    let allowed = try ports(arguments[allow], "--allow")
    let refused = try ports(arguments[refuse], "--refuse")
    let forgotten = try ports(arguments[forget], "--forget")
    let connection = try arguments.connectToIndex()
    // The decision is made, even if nobody can say the team's name.
    let nameOf = { (team: String) -> String in
      let list = try? connection.call(ListPorts.self, Nothing())
      return name(team, ((list?.allowed ?? []) + (list?.refused ?? [])).first { $0.team.hasBytes(of: team) }?.teamName)
    }
    for port in allowed {
      let reply = try connection.call(AllowPort.self, AllowPort.Parameters(port: port, team: arguments[team]))
      try output.result(
        ["port": .integer(Int64(port)), "team": .string(reply.team)],
        localized("Machines of the team \(nameOf(reply.team)) may use port \(String(port)).")
      )
    }
    for port in refused {
      let reply = try connection.call(RefusePort.self, RefusePort.Parameters(port: port, team: arguments[team]))
      try output.result(
        ["port": .integer(Int64(port)), "team": .string(reply.team)],
        localized("Machines of the team \(nameOf(reply.team)) may not use port \(String(port)).")
      )
    }
    for port in forgotten {
      _ = try connection.call(ForgetPort.self, ForgetPort.Parameters(port: port, team: arguments[team]))
      try output.result(
        ["port": .integer(Int64(port))],
        localized("Baton will ask again before other machines use port \(String(port)).")
      )
    }
    guard given.isEmpty else { return }
    let list = try connection.call(ListPorts.self, Nothing())
    let lines = text(list)
    if lines.isEmpty { output.note(localized("Other machines may not use any ports.")) }
    if output.isJSON || !lines.isEmpty { try output.result(list.json, lines.joined(separator: "\n")) }
  }

  private static func ports(_ texts: [String], _ option: String) throws -> [UInt16] {
    try texts.map { text in
      guard let port = UInt16(text), port > 0, String(port).hasBytes(of: text) else {
        throw UsageError(localized("'\(option)' must be a port from 1 to 65535."), hint: syntax.hint)
      }
      return port
    }
  }

  private static func text(_ list: ListPorts.Reply) -> [String] {
    questions(list.questions)
      + list.allowed.map { localized("Port \(String($0.port)): allowed in the team \(name($0.team, $0.teamName)).") }
      + list.refused.map { localized("Port \(String($0.port)): refused in the team \(name($0.team, $0.teamName)).") }
      + list.pages.map { page in
        let device = Printable.text(page.device)
        let connections = localized(
          page.connections,
          one: "1 connection",
          other: "\(page.connections) connections"
        )
        let places = page.ports.map { $0.address ?? String($0.port) }.joined(separator: ", ")
        return page.origin
          ? localized("Open on \(device): \(places), \(connections).")
          : localized("Page of \(device): \(places), \(connections).")
      }
  }

  /// A line for all ports about which a machine asks.
  private static func questions(_ all: [ControlPortQuestion]) -> [String] {
    var lines: [String] = []
    for (index, first) in all.enumerated() {
      let isSame: (ControlPortQuestion) -> Bool = { $0.team == first.team && $0.device == first.device }
      guard !all.prefix(index).contains(where: isSame) else { continue }
      let ports = all.filter(isSame).map(\.port)
      let (device, team) = (Printable.text(first.device), name(first.team, first.teamName))
      let line = localized("\(PortList.title(ports)): \(device) is asking for the team \(team).")
      let (allow, refuse) = (PortList.command("allow", ports), PortList.command("refuse", ports))
      lines.append(line + " " + localized("To answer, run `\(allow)` or `\(refuse)`."))
    }
    return lines
  }

  private static func name(_ team: String, _ name: String?) -> String { Printable.text(name ?? team) }
}
