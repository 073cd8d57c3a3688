// SPDX-License-Identifier: Apache-2.0

import Localization

/// What a program or one of its verbs takes.
package struct CommandLineSyntax: Sendable {
  /// The words that call it: `baton team create`.
  package let command: String
  /// The only argument that is not an option; nil if none is allowed.
  package let operand: Operand?
  package let options: [any AnyOption]
  /// The options of every verb, which the synopsis leaves out.
  package let commonOptions: [any AnyOption]

  package init(
    command: String,
    operand: Operand? = nil,
    options: [any AnyOption],
    commonOptions: [any AnyOption] = []
  ) {
    self.command = command
    self.operand = operand
    self.options = options
    self.commonOptions = commonOptions
  }

  /// The command that explains more.
  package var hint: String { "\(command) --help" }

  /// Finds the option that an argument names, with one dash or two.
  func option(_ argument: String) -> (any AnyOption)? {
    (options + commonOptions).first { option in
      argument == option.declaration.title || option.declaration.short.map { argument == "-\($0)" } ?? false
    }
  }

  /// The command and what it takes, in the notation of manual pages.
  package var synopsis: String { ([command] + parts).joined(separator: " ") }

  private var parts: [String] { [operand?.synopsis].compactMap(\.self) + options.map(\.declaration.synopsis) }

  /// The synopsis, in lines for a terminal.
  package var usage: String {
    let head = localized("Usage: \(command)")
    let lines = TextLayout.lines(of: parts, width: TextLayout.width - head.count - 1)
    let indent = "\n" + String(repeating: " ", count: head.count + 1)
    return lines.isEmpty ? head : "\(head) \(lines.joined(separator: indent))"
  }

  /// The options and what they do, in two columns.
  package var optionTable: String {
    let declarations = (options + commonOptions).map(\.declaration)
    return TextLayout.table(declarations.map { ($0.usage, $0.help) })
  }
}
