// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// Arguments that were checked against what the program or the verb takes.
package struct ParsedArguments: Sendable {
  private let syntax: CommandLineSyntax
  private let values: [String: any Sendable]
  /// The argument that is not an option. If there may be several, the first of them.
  package let operand: String?
  /// All arguments that are not options.
  package let operands: [String]
  /// The names of the options, as often and in the order as they were given.
  package let names: [String]

  /// - Parameter arguments: What follows the command. `--name value` and `--name=value` are equivalent; after `--`,
  ///   nothing is an option; `-` is an operand.
  package init(_ arguments: [String], of syntax: CommandLineSyntax) throws(UsageError) {
    self.syntax = syntax
    var texts: [String: [String]] = [:]
    var names: [String] = []
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      guard argument.starts(withBytesOf: "-"), argument.utf8.count > 1 else {
        operands.append(argument)
        continue
      }
      let (option, text) = try Self.option(argument, &rest, of: syntax)
      names.append(option.name)
      if texts[option.name] != nil, option.repetition == .refused {
        throw UsageError(localized("'\(option.title)' can be used only once."), hint: syntax.hint)
      }
      try option.value?.limit.check(text, "'\(option.title)'", hint: syntax.hint)
      texts[option.name, default: []].append(text)
    }
    self.names = names
    operand = try Self.operand(operands, of: syntax)
    self.operands = operands
    values = try Self.values(texts, of: syntax)
  }

  private static func option(
    _ argument: String,
    _ rest: inout ArraySlice<String>,
    of syntax: CommandLineSyntax
  ) throws(UsageError) -> (OptionDeclaration, text: String) {
    let parts = argument.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let head = parts.first, let option = syntax.option(head)?.declaration else {
      let known = (syntax.options + syntax.commonOptions).map(\.declaration.title)
      throw UsageError.unknown(
        localized("Unknown option '\(parts.first ?? argument)'."),
        parts.first ?? argument,
        known: known,
        hint: syntax.hint
      )
    }
    guard option.value != nil else {
      guard parts.count == 1 else {
        throw UsageError(localized("'\(head)' doesn't accept a value."), hint: syntax.hint)
      }
      return (option, "")
    }
    guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw UsageError(localized("'\(head)' needs a value: \(option.usage)."), hint: syntax.hint)
    }
    return (option, text)
  }

  private static func operand(_ operands: [String], of syntax: CommandLineSyntax) throws(UsageError) -> String? {
    let isJoined = syntax.operand?.joinsArguments ?? false
    let isRepeated = syntax.operand?.isRepeated ?? false
    if !isJoined, !isRepeated, let unexpected = operands.dropFirst(syntax.operand == nil ? 0 : 1).first {
      throw UsageError(localized("Unexpected argument '\(unexpected)'."), hint: syntax.hint)
    }
    guard let declaration = syntax.operand else { return nil }
    let name = declaration.value.placeholder
    let given = isJoined && !operands.isEmpty ? operands.joined(separator: " ") : operands.first
    guard let operand = given else {
      guard !declaration.isRequired else { throw UsageError(localized("\(name) is missing."), hint: syntax.hint) }
      return nil
    }
    for text in isRepeated ? operands : [operand] { try declaration.value.limit.check(text, name, hint: syntax.hint) }
    return operand
  }

  private static func values(
    _ texts: [String: [String]],
    of syntax: CommandLineSyntax
  ) throws(UsageError) -> [String: any Sendable] {
    var values: [String: any Sendable] = [:]
    for option in syntax.options + syntax.commonOptions {
      let declaration = option.declaration
      guard let given = texts[declaration.name] else {
        guard !declaration.isRequired else {
          throw UsageError(localized("'\(declaration.title)' is required."), hint: syntax.hint)
        }
        continue
      }
      do throws(InvalidValue) {
        values[declaration.name] = try option.convert(given)
      } catch {
        throw UsageError(error.explanation(declaration.title), hint: syntax.hint)
      }
    }
    return values
  }

  /// The argument that is not an option, of a command that requires one.
  package var requiredOperand: String {
    guard let operand else { preconditionFailure("\(syntax.command) requires no operand") }
    return operand
  }

  /// The value of an option; nil, false or empty if it was not given.
  package subscript<Value>(option: Option<Value>) -> Value {
    // A verb that asks for an option that it does not declare would never get a value.
    precondition(syntax.option(option.declaration.title) != nil, "\(syntax.command) \(option.declaration.title)")
    return values[option.declaration.name] as? Value ?? option.absent
  }
}
