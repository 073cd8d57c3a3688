import CommandLineOptions

/// One verb of the command line.
protocol Command {
  /// The words that call it: `["team", "create"]`.
  static var words: [String] { get }
  /// One sentence for the list of commands.
  static var summary: String { get }
  /// What `--help` shows in addition to the summary, in lines of at most 80 columns.
  static var details: String { get }
  /// The options in addition to those that all commands have.
  static var options: [any AnyOption] { get }
  static var operand: Operand? { get }
  /// Whether programs call it, so that people need not know it.
  static var isHidden: Bool { get }
  /// The options that many commands have.
  static var commonOptions: [any AnyOption] { get }

  /// - Throws: `UsageError`, `CommandError`, `ControlError`, `OutputClosed`.
  static func run(_ arguments: ParsedArguments, _ output: Output) throws
}

extension Command {
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
}
