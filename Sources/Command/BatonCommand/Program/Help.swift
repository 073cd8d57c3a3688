// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import Localization

/// The texts of `--help`.
enum Help {
  /// What `baton --help` shows: the everyday commands, and where the others are.
  static func overview() -> String {
    """
    \(localized("Baton lets you pick up on one machine where you left off on another."))

    \(usage)

    \(sections(HelpSection.everyday))

    \(localized("More commands:"))
    \(TextLayout.table(HelpGroup.allCases.filter { $0 != .everyday }.map { ("baton help \($0.rawValue)", $0.summary) }))

    \(localized("For a command's options and examples, run `baton COMMAND --help`."))
    """
  }

  /// What `baton help GROUP` shows.
  static func group(_ group: HelpGroup, of commands: [any Command.Type]) -> String {
    let list =
      group == .everyday
      ? sections(HelpSection.everyday) : "\(group.summary)\n\n\(list(commands.filter { $0.group == group }))"
    return group == .scripts ? "\(list)\n\n\(forScripts)" : list
  }

  private static var usage: String { localized("Usage: baton COMMAND [OPTIONS]") }

  private static func sections(_ sections: [HelpSection]) -> String {
    // All in the same columns.
    let width = sections.flatMap(\.commands).map { $0.title.count }.max() ?? 0
    return sections.map { section in
      let rows = section.commands.map { ($0.title.padded(to: width), $0.summary) }
      return "\(section.title):\n\(TextLayout.table(rows))"
    }.joined(separator: "\n\n")
  }

  private static var forScripts: String {
    """
    \(localized("With --json, commands print JSON: one document, or one per line for events."))

    \(localized("Exit status:"))
    \(TextLayout.table(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))
    """
  }

  static func list(_ commands: [any Command.Type]) -> String {
    TextLayout.table(commands.filter { !$0.isHidden }.map { ($0.title, $0.summary) })
  }

  static func page(_ command: any Command.Type) -> String {
    [
      command.syntax.usage, command.summary, command.details,
      localized("Options:") + "\n" + command.syntax.optionTable, examples(command),
    ]
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static func examples(_ command: any Command.Type) -> String {
    guard !command.examples.isEmpty else { return "" }
    let lines = command.examples.map { "  \($0.command)\n      \($0.what)" }
    return ([localized("Examples:")] + lines).joined(separator: "\n")
  }
}

extension String {
  /// The text with spaces after it, so that it is at least so many characters long.
  fileprivate func padded(to count: Int) -> String { self + String(repeating: " ", count: max(0, count - self.count)) }
}
