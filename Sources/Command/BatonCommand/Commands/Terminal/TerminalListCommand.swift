// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Glibc
import Hosts
import JSONCoding
import Localization

enum TerminalListCommand: Command {
  static let words = ["terminal", "list"]
  static let group = HelpGroup.terminals
  static let summary = localized("List the tmux sessions you share.")
  static let details = localized("With --json, the output is {\"sessions\": [{\"session\", \"machines\", ...}]}.")
  static let examples: [CommandExample] = [
    ("baton terminal list", localized("See which sessions you share.")),
    ("baton terminal list --json", localized("Print the same as JSON.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let statuses = try statuses()
    try output.result(.object(["sessions": .array(statuses.map(\.json))]), text(statuses))
  }

  private static func statuses() throws -> [TerminalSocket.Status] {
    let tmux = TerminalChoice.tmux
    do throws(Tmux.Failure) {
      let server = try tmux.run(["display-message", "-p", "#{socket_path}"])
      let sessions = try tmux.run(["list-sessions", "-F", "#{session_id}"]).split(atScalar: "\n")
      return sessions.compactMap {
        TerminalSocket.ask(.status, at: TerminalSocket.path(server: server, session: String($0)))
      }
    } catch .refused {
      // No server runs, so there are no sessions.
      return []
    } catch { throw TerminalChoice.failure(error) }
  }

  private static func text(_ statuses: [TerminalSocket.Status]) -> String {
    guard !statuses.isEmpty else {
      return localized("You aren't sharing any sessions. To share one, run `baton terminal share` inside it.")
    }
    return statuses.map { status in
      let (name, count, time) = (
        Printable.text(status.session), status.machines, TimeSpan.text(status.resumeTime)
      )
      return status.isReadOnly
        ? localized(
          count,
          one: "\(name): \(count) machine connected, read-only; resume time \(time)",
          other: "\(name): \(count) machines connected, read-only; resume time \(time)"
        )
        : localized(
          count,
          one: "\(name): \(count) machine connected; resume time \(time)",
          other: "\(name): \(count) machines connected; resume time \(time)"
        )
    }
    .joined(separator: "\n")
  }
}
