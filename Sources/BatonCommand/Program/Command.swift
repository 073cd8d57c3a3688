/// One verb of the command line.
protocol Command {
  /// The words that call it: `["team", "create"]`.
  static var words: [String] { get }
  /// What follows the words, in the notation of manual pages.
  static var synopsis: String { get }
  /// One line for the list of verbs.
  static var summary: String { get }
  /// What `--help` shows in addition to the summary, in lines of at most 80 columns.
  static var details: String { get }
  /// The options in addition to those that all verbs have.
  static var options: [Option] { get }
  /// The maximum number of operands.
  static var operands: Int { get }
  /// The maximum length of each operand.
  static var operandLimit: LengthLimit { get }

  /// - Throws: `UsageError`, `CommandError`, `ControlError`, `OutputClosed`.
  static func run(_ arguments: ArgumentList, _ output: Output) throws
}

extension Command {
  static var details: String { "" }
  static var options: [Option] { [] }
  static var operands: Int { 0 }
  static var operandLimit: LengthLimit { .other }
  static var title: String { words.joined(separator: " ") }
}
