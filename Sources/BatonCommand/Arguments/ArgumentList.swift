/// The arguments of a verb, checked against the verb's options.
struct ArgumentList {
  private var values: [String: [String]] = [:]
  /// The arguments that are not options, in order.
  private(set) var operands: [String] = []

  /// - Parameter arguments: What follows the verb's words. `--name value` and `--name=value` are equivalent; after
  ///   `--`, nothing is an option; `-` is an operand.
  /// - Throws: `UsageError` that names the argument, or `CommandError` if an argument is too long and there is a reason
  ///   for that.
  init(_ arguments: [String], _ command: any Command.Type) throws {
    let options = command.options + Help.commonOptions
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.hasPrefix("-"), argument != "-" else {
        operands.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let head = parts.first, head.hasPrefix("--"),
        let option = options.first(where: { $0.name == head.dropFirst(2) })
      else {
        let known = options.map { "--" + $0.name }
        throw UsageError.unknown("option", parts.first ?? argument, after: command.title, known: known)
      }
      let value: String
      if option.placeholder == nil {
        guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value.", hint: command.helpHint) }
        value = ""
      } else if parts.count == 2 {
        value = parts[1]
      } else if let next = rest.popFirst() {
        value = next
      } else {
        throw UsageError("A value is missing: \(option.usage).", hint: command.helpHint)
      }
      if !option.mayRepeat, values[option.name] != nil {
        throw UsageError("--\(option.name) is given twice.", hint: command.helpHint)
      }
      try option.limit.check(value, "--\(option.name)", hint: command.helpHint)
      values[option.name, default: []].append(value)
    }
    guard operands.count <= command.operands else {
      throw UsageError("There is one argument too many: \(operands[command.operands])", hint: command.helpHint)
    }
    for operand in operands {
      try command.operandLimit.check(operand, "The argument of `baton \(command.title)`", hint: command.helpHint)
    }
  }

  func has(_ flag: String) -> Bool { values[flag] != nil }

  func value(_ option: String) -> String? { values[option]?.first }

  func all(_ option: String) -> [String] { values[option] ?? [] }
}

extension Command {
  static var helpHint: String { "baton \(title) --help" }
}
