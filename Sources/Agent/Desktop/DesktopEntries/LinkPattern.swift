// SPDX-License-Identifier: Apache-2.0

/// A pattern of an association: `*` stands for any characters, `?` for one character, and `$(name)` for one of the
/// values of a variable. Everything else stands for itself.
struct LinkPattern: Equatable, Sendable {
  enum Element: Equatable, Sendable {
    /// A scalar, and its folded form for comparing without regard to case.
    case scalar(Unicode.Scalar, folded: Unicode.Scalar)
    case one
    case any
    case oneOf(Letters)
    case choice([[Element]])
  }

  /// The values of the predefined variables: ASCII characters.
  enum Letters: Equatable, Sendable {
    case alpha, upper, lower, alnum, digit, xdigit

    func contain(_ scalar: Unicode.Scalar, isCaseSensitive: Bool) -> Bool {
      let isUpper = ("A"..."Z").contains(scalar)
      let isLower = ("a"..."z").contains(scalar)
      let isDigit = ("0"..."9").contains(scalar)
      return switch self {
      case .alpha: isUpper || isLower
      case .upper: isUpper || (isLower && !isCaseSensitive)
      case .lower: isLower || (isUpper && !isCaseSensitive)
      case .alnum: isUpper || isLower || isDigit
      case .digit: isDigit
      case .xdigit: isDigit || ("A"..."F").contains(scalar) || ("a"..."f").contains(scalar)
      }
    }
  }

  let elements: [Element]

  /// - Parameter variables: See ``choice(_:)``.
  /// - Returns: Nil if the pattern names an unknown variable.
  init?(_ text: String, _ variables: [String: Element]) {
    var elements: [Element] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "$", rest.first == "(", let end = rest.firstIndex(of: ")") else {
        elements.append(Self.element(scalar))
        continue
      }
      guard let choice = Self.variable(String(rest[..<end].dropFirst()), variables) else { return nil }
      elements.append(choice)
      rest = rest[end...].dropFirst()
    }
    self.elements = elements
  }

  /// Returns a variable that can have each of these values, which may contain `*` and `?`. Patterns share it, however
  /// long it is.
  static func choice(_ values: [String]) -> Element { .choice(values.map { $0.unicodeScalars.map(element) }) }

  private static func element(_ scalar: Unicode.Scalar) -> Element {
    switch scalar {
    case "*": .any
    case "?": .one
    default: .scalar(scalar, folded: scalar.folded)
    }
  }

  private static func variable(_ name: String, _ variables: [String: Element]) -> Element? {
    switch name {
    case "alpha": .oneOf(.alpha)
    case "upper": .oneOf(.upper)
    case "lower": .oneOf(.lower)
    case "alnum": .oneOf(.alnum)
    case "digit": .oneOf(.digit)
    case "xdigit": .oneOf(.xdigit)
    // By their form (ISO 639 and 3166), because there are no lists of them here.
    case "lang": .choice([2, 3].map { Array(repeating: .oneOf(.lower), count: $0) })
    case "region": .choice([Array(repeating: .oneOf(.upper), count: 2)])
    default: variables[name]
    }
  }
}
