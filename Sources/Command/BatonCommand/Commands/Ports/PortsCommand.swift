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
    also end the port's connections.

    The list also shows the pages that are open, with the addresses of other
    machines' pages on this one.

    With --json, the output is {"allowed": [{"port", "team", "teamName"}],
    "refused": [{"port", "team", "teamName"}], "questions": [{"port", "team",
    "teamName", "device"}], "pages": [{"origin", "device", "ports": [{"port",
    "address"}], "connections"}]}.
    """
  )
  static let allow = Option.text("allow", "PORT", localized("Let the machines of a team use PORT."))
  static let refuse = Option.text("refuse", "PORT", localized("Don't let the machines of a team use PORT."))
  static let forget = Option.text("forget", "PORT", localized("Ask again before other machines use PORT."))
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
    let given = [allow, refuse, forget].filter { arguments[$0] != nil }
    guard given.count <= 1 else {
      throw UsageError(localized("'--allow', '--refuse' and '--forget' can't be combined."), hint: syntax.hint)
    }
    guard arguments[team] == nil || !given.isEmpty else {
      throw UsageError(localized("'--team' needs '--allow', '--refuse' or '--forget'."), hint: syntax.hint)
    }
    let allowed = try port(arguments[allow], "--allow")
    let refused = try port(arguments[refuse], "--refuse")
    let forgotten = try port(arguments[forget], "--forget")
    let connection = try arguments.connectToIndex()
    if let allowed {
      let reply = try connection.call(AllowPort.self, AllowPort.Parameters(port: allowed, team: arguments[team]))
      return try output.result(
        ["port": .integer(Int64(allowed)), "team": .string(reply.team)],
        localized("Machines of the team \(Printable.text(reply.team)) may use port \(String(allowed)).")
      )
    }
    if let refused {
      let reply = try connection.call(RefusePort.self, RefusePort.Parameters(port: refused, team: arguments[team]))
      return try output.result(
        ["port": .integer(Int64(refused)), "team": .string(reply.team)],
        localized("Machines of the team \(Printable.text(reply.team)) may not use port \(String(refused)).")
      )
    }
    if let forgotten {
      _ = try connection.call(ForgetPort.self, ForgetPort.Parameters(port: forgotten, team: arguments[team]))
      return try output.result(
        ["port": .integer(Int64(forgotten))],
        localized("Baton will ask again before other machines use port \(String(forgotten)).")
      )
    }
    let list = try connection.call(ListPorts.self, Nothing())
    let lines = text(list)
    if lines.isEmpty { output.note(localized("Other machines may not use any ports.")) }
    if output.isJSON || !lines.isEmpty { try output.result(list.json, lines.joined(separator: "\n")) }
  }

  private static func port(_ text: String?, _ option: String) throws -> UInt16? {
    guard let text else { return nil }
    guard let port = UInt16(text), port > 0, String(port).hasBytes(of: text) else {
      throw UsageError(localized("'\(option)' must be a port from 1 to 65535."), hint: syntax.hint)
    }
    return port
  }

  private static func text(_ list: ListPorts.Reply) -> [String] {
    list.questions.map { question in
      let team = name(question.team, question.teamName)
      return localized(
        "Port \(String(question.port)): \(Printable.text(question.device)) is asking for the team \(team)."
      )
        + " "
        + localized(
          "To answer, run `baton ports --allow \(String(question.port))` or `baton ports --refuse \(String(question.port))`."
        )
    }
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

  private static func name(_ team: String, _ name: String?) -> String { Printable.text(name ?? team) }
}
