// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Hosts
import JSONCoding
import Localization

enum TerminalUnshareCommand: Command {
  static let words = ["terminal", "unshare"]
  static let group = HelpGroup.terminals
  static let summary = localized("Stop sharing a tmux session.")
  static let details = localized("The session keeps running. Machines that show it are disconnected.")
  static let options: [any AnyOption] = [TerminalChoice.session]
  static let examples: [CommandExample] = [
    ("baton terminal unshare", localized("Stop sharing the tmux session you're in.")),
    ("baton terminal unshare --session work", localized("Stop sharing the session \"work\".")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let session = try TerminalChoice.session(arguments)
    guard let status = TerminalSocket.ask(.unshare, at: try TerminalChoice.path(session)) else {
      throw CommandError(
        .notFound,
        localized("The session isn't shared. To list shared sessions, run `baton terminal list`.")
      )
    }
    try output.result(status.json, localized("\(Printable.text(status.session)) is no longer shared."))
  }
}
