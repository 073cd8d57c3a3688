/// A text for people, with values in it: a format as gettext has it, and its arguments.
///
/// `"Joined the team \(name)."` has the format `Joined the team %1$s.`. A literal `%` is `%%` in the format.
package struct Message: ExpressibleByStringInterpolation, Sendable {
  /// What translators see, in English.
  package let format: String
  package let arguments: [String]

  package init(stringLiteral text: String) { self.init(stringInterpolation: StringInterpolation(text)) }

  package init(stringInterpolation interpolation: StringInterpolation) {
    format = interpolation.format
    arguments = interpolation.arguments
  }

  /// The text that a format makes with the message's arguments: the message's own, or a translation of it, which may
  /// have the arguments in another order. What is no argument of the message stays as it is.
  package func text(_ format: String) -> String {
    guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
    var text = "", rest = Substring(format)
    while let start = rest.firstIndex(of: "%") {
      text += rest[..<start]
      rest = rest[rest.index(after: start)...]
      if rest.first == "%" {
        rest.removeFirst()
        text += "%"
      } else if let end = rest.firstIndex(of: "$"), rest[end...].hasPrefix("$s"), let number = Int(rest[..<end]),
        arguments.indices.contains(number - 1)
      {
        text += arguments[number - 1]
        rest = rest[end...].dropFirst(2)
      } else {
        text += "%"
      }
    }
    return text + rest
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var format = ""
    fileprivate var arguments: [String] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      format.reserveCapacity(literalCapacity + 4 * interpolationCount)
    }

    fileprivate init(_ text: String) { appendLiteral(text) }

    package mutating func appendLiteral(_ literal: String) {
      for character in literal { format += character == "%" ? "%%" : String(character) }
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) { append(value.description) }

    package mutating func appendInterpolation(_ error: any Error) { append("\(error)") }

    private mutating func append(_ argument: String) {
      arguments.append(argument)
      format += "%\(arguments.count)$s"
    }
  }
}
