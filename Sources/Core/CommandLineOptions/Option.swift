// SPDX-License-Identifier: Apache-2.0

/// An option without its type, for lists of options.
package protocol AnyOption: Sendable {
  var declaration: OptionDeclaration { get }
  /// Converts the values that were given, in order; a flag's are empty.
  func convert(_ texts: [String]) throws(InvalidValue) -> any Sendable
}

/// What one option is called, takes and does. The parser, the help, the completions and the test of the manual pages
/// use it.
package struct OptionDeclaration: Sendable {
  /// Without the dashes.
  package let name: String
  /// A letter that means the same after one dash; only flags have it.
  package var short: Unicode.Scalar?
  /// Nil for a flag.
  package let value: ValueDeclaration?
  let repetition: Repetition
  var isRequired = false
  /// A sentence for the help.
  package let help: String

  /// What happens if an option is given several times.
  package enum Repetition: Sendable {
    case refused
    /// The last value counts.
    case lastCounts
    case allCount
  }

  /// `--team`
  package var title: String { "--\(name)" }
  /// `--team ID`
  package var usage: String { title + (value.map { " \($0.placeholder)" } ?? "") }

  /// `[--team ID]`
  var synopsis: String {
    guard !isRequired else { return usage }
    return value != nil && repetition == .allCount ? "[\(usage)]..." : "[\(usage)]"
  }
}

/// An option with the type of its value.
package struct Option<Value: Sendable>: AnyOption {
  package let declaration: OptionDeclaration
  /// The value if the option is not given.
  let absent: Value
  private let read: @Sendable ([String]) throws(InvalidValue) -> Value

  package func convert(_ texts: [String]) throws(InvalidValue) -> any Sendable { try read(texts) }
}

extension Option<Bool> {
  package static func flag(_ name: String, short: Unicode.Scalar? = nil, _ help: String) -> Option {
    let declaration = OptionDeclaration(name: name, short: short, value: nil, repetition: .lastCounts, help: help)
    return Option(declaration: declaration, absent: false) { _ in true }
  }
}

extension Option {
  /// An option with a value that is converted.
  package static func value<Wrapped>(
    _ name: String,
    _ placeholder: String,
    completing kind: ValueDeclaration.Kind = .text,
    _ help: String,
    limit: LengthLimit = .other,
    repetition: OptionDeclaration.Repetition = .refused,
    convert: @escaping @Sendable (String) throws(InvalidValue) -> Wrapped
  ) -> Option where Value == Wrapped? {
    let value = ValueDeclaration(placeholder: placeholder, kind: kind, limit: limit)
    let declaration = OptionDeclaration(name: name, value: value, repetition: repetition, help: help)
    return Option(declaration: declaration, absent: nil) { texts throws(InvalidValue) in try texts.last.map(convert) }
  }
}

extension Option<String?> {
  package static func text(
    _ name: String,
    _ placeholder: String,
    completing kind: ValueDeclaration.Kind = .text,
    _ help: String,
    limit: LengthLimit = .other
  ) -> Option {
    value(name, placeholder, completing: kind, help, limit: limit) { $0 }
  }
}

extension Option<String> {
  /// An option that must be given.
  package static func required(
    _ name: String,
    _ placeholder: String,
    completing kind: ValueDeclaration.Kind = .text,
    _ help: String,
    limit: LengthLimit = .other
  ) -> Option {
    let value = ValueDeclaration(placeholder: placeholder, kind: kind, limit: limit)
    let declaration = OptionDeclaration(
      name: name,
      value: value,
      repetition: .refused,
      isRequired: true,
      help: help
    )
    return Option(declaration: declaration, absent: "") { $0.last ?? "" }
  }
}

extension Option<[String]> {
  /// An option that can be given several times.
  package static func list(
    _ name: String,
    _ placeholder: String,
    _ help: String,
    limit: LengthLimit = .other
  ) -> Option {
    let value = ValueDeclaration(placeholder: placeholder, kind: .text, limit: limit)
    let declaration = OptionDeclaration(name: name, value: value, repetition: .allCount, help: help)
    return Option(declaration: declaration, absent: []) { $0 }
  }
}
