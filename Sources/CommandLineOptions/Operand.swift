/// An argument that is not an option.
package struct Operand: Sendable {
  package let value: ValueDeclaration
  let isRequired: Bool

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

  var synopsis: String { isRequired ? value.placeholder : "[\(value.placeholder)]" }
}
