// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions

/// A command line that people can copy, and what it does.
typealias CommandExample = (command: String, what: String)

/// One verb of the command line.
protocol Command {
  /// The words that call it: `["team", "create"]`.
  static var words: [String] { get }
  /// The words that called it in earlier versions. They still do, but nothing mentions them.
  static var formerWords: [[String]] { get }
  /// The group that `baton help GROUP` lists it in.
  static var group: HelpGroup { get }
  /// One sentence for the list of commands.
  static var summary: String { get }
  /// What `--help` shows in addition to the summary, in lines of at most 80 columns.
  static var details: String { get }
  /// The options in addition to those that all commands have.
  static var options: [any AnyOption] { get }
  static var operand: Operand? { get }
  /// What `--help` shows after the options. Two for each command that people use.
  static var examples: [CommandExample] { get }
  /// Whether programs call it, so that people need not know it.
  static var isHidden: Bool { get }
  /// The options that many commands have.
  static var commonOptions: [any AnyOption] { get }

  /// - Throws: `UsageError`, `CommandError`, `ControlError`, `OutputClosed`.
  static func run(_ arguments: ParsedArguments, _ output: Output) throws
}

extension Command {
  static var formerWords: [[String]] { [] }
  static var details: String { "" }
  static var options: [any AnyOption] { [] }
  static var operand: Operand? { nil }
  static var isHidden: Bool { false }
  static var commonOptions: [any AnyOption] { CommonOptions.all }
  static var title: String { words.joined(separator: " ") }

  static var syntax: CommandLineSyntax {
    CommandLineSyntax(
      command: "baton \(title)",
      operand: operand,
      options: options,
      commonOptions: commonOptions
    )
  }

  /// How many of the words call this command; nil if they call another one.
  static func count(calledBy words: [String]) -> Int? {
    ([self.words] + formerWords).first { words.starts(with: $0) }?.count
  }
}
