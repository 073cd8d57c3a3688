// SPDX-License-Identifier: Apache-2.0

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
    let percent = UInt8(ascii: "%")
    guard format.utf8.contains(percent) else { return format }
    var bytes: [UInt8] = [], rest = format.utf8[...]
    while let start = rest.firstIndex(of: percent) {
      bytes += rest[..<start]
      rest = rest[start...].dropFirst()
      if rest.first == percent {
        rest.removeFirst()
        bytes.append(percent)
      } else if let end = rest.firstIndex(of: UInt8(ascii: "$")), rest[end...].starts(with: "$s".utf8),
        let number = Int(Substring(rest[..<end])), arguments.indices.contains(number - 1)
      {
        bytes += arguments[number - 1].utf8
        rest = rest[end...].dropFirst(2)
      } else {
        bytes.append(percent)
      }
    }
    return String(decoding: bytes + rest, as: UTF8.self)
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var format = ""
    fileprivate var arguments: [String] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      format.reserveCapacity(literalCapacity + 4 * interpolationCount)
    }

    fileprivate init(_ text: String) { appendLiteral(text) }

    package mutating func appendLiteral(_ literal: String) {
      for scalar in literal.unicodeScalars {
        if scalar == "%" { format += "%" }
        format.unicodeScalars.append(scalar)
      }
    }

    package mutating func appendInterpolation(_ value: some CustomStringConvertible) { append(value.description) }

    package mutating func appendInterpolation(_ error: any Error) { append("\(error)") }

    private mutating func append(_ argument: String) {
      arguments.append(argument)
      format += "%\(arguments.count)$s"
    }
  }
}
