/// An argument that is not an option.
package struct Operand: Sendable {
  package let value: ValueDeclaration
  let isRequired: Bool
  /// Whether there may be several arguments, which spaces then join.
  var joinsArguments = false

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

  var synopsis: String {
    if joinsArguments { return "[\(value.placeholder)]..." }
    return isRequired ? value.placeholder : "[\(value.placeholder)]"
  }
}
