import Activity

extension SearchExpression {
  /// Reads an expression, such as `title == "whale*"cd && (rating >= 3 || InRange(dueDate, $time.now,
  /// $time.today(7)))`.
  package init(parsing text: String) throws(ExpressionError) {
    guard text.utf8.count <= Limits.searchExpressionLength else {
      throw ExpressionError(message: "The expression is too long", offset: Limits.searchExpressionLength)
    }
    var parser = ExpressionParser(text)
    self = try parser.expression(depth: 0)
    parser.skipSpace()
    if !parser.isAtEnd { throw parser.error("Something follows the expression") }
  }
}

private struct ExpressionParser {
  private let scalars: Substring.UnicodeScalarView
  private var rest: Substring.UnicodeScalarView
  private let length: Int

  init(_ text: String) {
    scalars = text[...].unicodeScalars
    rest = scalars
    length = text.utf8.count
  }

  var isAtEnd: Bool { rest.isEmpty }

  func error(_ message: String) -> ExpressionError {
    ExpressionError(message: message, offset: length - Substring(rest).utf8.count)
  }

  mutating func skipSpace() { rest = rest.drop { $0.properties.isWhitespace } }

  /// Takes a text if it is next.
  private mutating func take(_ text: String) -> Bool {
    skipSpace()
    guard rest.starts(with: text.unicodeScalars) else { return false }
    rest = rest.dropFirst(text.unicodeScalars.count)
    return true
  }

  private mutating func expect(_ text: String) throws(ExpressionError) {
    if !take(text) { throw error("\(text) is missing") }
  }

  mutating func expression(depth: Int) throws(ExpressionError) -> SearchExpression {
    guard depth < Limits.searchExpressionDepth else { throw error("Parentheses are nested too deeply") }
    var parts = [try conjunction(depth)]
    while take("||") { parts.append(try conjunction(depth)) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction(_ depth: Int) throws(ExpressionError) -> SearchExpression {
    var parts = [try condition(depth)]
    while take("&&") { parts.append(try condition(depth)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func condition(_ depth: Int) throws(ExpressionError) -> SearchExpression {
    if take("(") {
      let inner = try expression(depth: depth + 1)
      try expect(")")
      return inner
    }
    if take("!") {
      guard take("(") else { throw error("( is missing") }
      let inner = try expression(depth: depth + 1)
      try expect(")")
      return .not(inner)
    }
    let attribute = try attribute()
    if attribute.lowercased() == "inrange", take("(") {
      let attribute = try self.attribute()
      try expect(",")
      let low = try value()
      try expect(",")
      let high = try value()
      try expect(")")
      return .inRange(attribute: attribute, low, high)
    }
    for comparison in [
      SearchExpression.Comparison.equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater,
    ] where take(comparison.rawValue) {
      return .comparison(attribute: attribute, comparison, try value())
    }
    // A single equals sign is in some tutorials.
    if take("=") { return .comparison(attribute: attribute, .equal, try value()) }
    throw error("A comparison is missing")
  }

  private mutating func attribute() throws(ExpressionError) -> String {
    if take("**") { return "**" }
    if take("*") { return "*" }
    skipSpace()
    let name = rest.prefix { scalar in
      scalar.properties.isAlphabetic || "0123456789_:.-".unicodeScalars.contains(scalar)
    }
    guard !name.isEmpty else { throw error("The name of an attribute is missing") }
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private mutating func value() throws(ExpressionError) -> SearchExpression.Value {
    skipSpace()
    switch rest.first {
    case "\"", "'": return .text(try text())
    case "$": return .moment(try moment())
    default: break
    }
    let word = rest.prefix { scalar in
      scalar.properties.isAlphabetic || "0123456789_.+-".unicodeScalars.contains(scalar)
    }
    let text = String(word)
    let value: SearchExpression.Value
    switch text.lowercased() {
    case "true", "yes": value = .number(1)
    case "false", "no": value = .number(0)
    default:
      guard let number = Double(text), number.isFinite else { throw error("A value is missing") }
      value = .number(number)
    }
    rest = rest.dropFirst(word.count)
    return value
  }

  /// A text in quotes and the letters that follow it.
  private mutating func text() throws(ExpressionError) -> TextPattern {
    let start = rest
    guard let quote = rest.popFirst() else { throw error("A text is missing") }
    var elements: [TextPattern.Element] = []
    var wildcards = 0
    while true {
      guard let scalar = rest.popFirst() else {
        rest = start
        throw error("The text has no end")
      }
      switch scalar {
      case quote: return TextPattern(elements, modifiers())
      case "\\":
        guard let escaped = rest.popFirst() else { throw error("The text has no end") }
        elements.append(.scalar(escaped))
      case "*":
        if elements.last != .anyText { elements.append(.anyText) }
        wildcards += 1
      case "?": elements.append(.anyCharacter)
      default: elements.append(.scalar(scalar))
      }
      if wildcards > Self.maximumWildcards { throw error("There are too many wildcards") }
    }
  }

  /// The maximum number of `*` in one text. Each can mean that a text is compared once more.
  private static let maximumWildcards = 16

  private mutating func modifiers() -> TextPattern.Modifiers {
    var modifiers: TextPattern.Modifiers = []
    // Some write them in brackets.
    let isBracketed = rest.first == "["
    if isBracketed { rest.removeFirst() }
    while let scalar = rest.first {
      switch scalar {
      case "c": modifiers.insert(.ignoresCase)
      case "d": modifiers.insert(.ignoresAccents)
      case "w", "t": modifiers.insert(.comparesWords)
      default:
        if isBracketed, scalar == "]" { rest.removeFirst() }
        return modifiers
      }
      rest.removeFirst()
    }
    return modifiers
  }

  /// `$time` with one of its functions.
  private mutating func moment() throws(ExpressionError) -> Moment {
    let start = rest
    guard take("$time") else { throw error("Only $time is known here") }
    guard take(".") else { return .now(0) }
    let name = String(rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") })
    rest = rest.dropFirst(name.unicodeScalars.count)
    var argument: String?
    if rest.first == "(" {
      rest.removeFirst()
      let text = rest.prefix { $0 != ")" }
      rest = rest.dropFirst(text.count)
      try expect(")")
      argument = String(text).filter { $0 != " " && $0 != "\"" && $0 != "'" }
    }
    func count() -> Int? {
      guard let argument, !argument.isEmpty else { return 0 }
      return Int(argument).flatMap { abs($0.clamped) < 10_000_000 ? $0 : nil }
    }
    switch name {
    case "now":
      if let seconds = argument.map({ $0.isEmpty ? 0 : Double($0) }) ?? 0, seconds.isFinite { return .now(seconds) }
    case "iso": if let argument, let moment = Moment.iso(argument) { return moment }
    default: if let unit = Moment.Unit(rawValue: name), let count = count() { return .start(of: unit, count) }
    }
    rest = start
    throw error("This time is not known")
  }
}

extension Int {
  /// A number whose absolute value exists.
  fileprivate var clamped: Int { Swift.max(self, -Int.max) }
}
