import Activity
import CommandLineOptions
import Hosts
import JSONCoding
import Localization

enum TerminalUnshareCommand: Command {
  static let words = ["terminal", "unshare"]
  static let group = HelpGroup.terminals
  static let summary = "Stop sharing a session of tmux."
  static let details = """
    The session goes on. The machines that see it are disconnected.
    """
  static let options: [any AnyOption] = [TerminalChoice.session]
  static let examples: [CommandExample] = [
    ("baton terminal unshare", localized("Stop sharing the tmux session you are in.")),
    ("baton terminal unshare --session work", localized("Stop sharing the session \"work\".")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let session = try TerminalChoice.session(arguments)
    guard let status = TerminalSocket.ask(.unshare, at: try TerminalChoice.path(session)) else {
      throw CommandError(.notFound, "The session is not shared.")
    }
    try output.result(status.json, "\(Printable.text(status.session)) is no longer shared.")
  }
}
