import Activity
import CommandLineOptions
import Glibc
import Hosts
import JSONCoding
import Localization

enum TerminalListCommand: Command {
  static let words = ["terminal", "list"]
  static let group = HelpGroup.terminals
  static let summary = "List the sessions of tmux that you share."
  static let details = """
    With --json, the output is {"sessions": [{"session", "machines", ...}]}.
    """
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
    guard !statuses.isEmpty else { return "You share no session. To share one, run `baton terminal share` in it." }
    return statuses.map { status in
      let machines = status.machines == 1 ? "1 machine sees it" : "\(status.machines) machines see it"
      let mode = status.isReadOnly ? ", read-only" : ""
      return "\(Printable.text(status.session)): \(machines)\(mode); resume time \(TimeSpan.text(status.resumeTime))"
    }
    .joined(separator: "\n")
  }
}
