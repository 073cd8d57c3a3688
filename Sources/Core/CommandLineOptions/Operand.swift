// SPDX-License-Identifier: Apache-2.0

/// An argument that is not an option.
package struct Operand: Sendable {
  package let value: ValueDeclaration
  let isRequired: Bool
  /// Whether there may be several arguments, which spaces then join.
  var joinsArguments = false
  /// Whether there may be several arguments, each for itself.
  package var isRepeated = false

  package static func required(
    _ placeholder: String,
    _ kind: ValueDeclaration.Kind = .text,
    limit: LengthLimit = .other
  ) -> Operand {
    Operand(value: ValueDeclaration(placeholder: placeholder, kind: kind, limit: limit), isRequired: true)
  }

  package static func optional(
    _ placeholder: String,
    _ kind: ValueDeclaration.Kind = .text,
    limit: LengthLimit = .other
  ) -> Operand {
    Operand(value: ValueDeclaration(placeholder: placeholder, kind: kind, limit: limit), isRequired: false)
  }

  /// An operand that people write as several arguments, such as words to search for.
  package static func words(_ placeholder: String, limit: LengthLimit = .other) -> Operand {
    let value = ValueDeclaration(placeholder: placeholder, kind: .text, limit: limit)
    return Operand(value: value, isRequired: false, joinsArguments: true)
  }

  /// One argument at least.
  package static func several(
    _ placeholder: String,
    _ kind: ValueDeclaration.Kind = .text,
    limit: LengthLimit = .other
  ) -> Operand {
    var operand = required(placeholder, kind, limit: limit)
    operand.isRepeated = true
    return operand
  }

  var synopsis: String {
    if isRepeated { return "\(value.placeholder)..." }
    if joinsArguments { return "[\(value.placeholder)]..." }
    return isRequired ? value.placeholder : "[\(value.placeholder)]"
  }
}
