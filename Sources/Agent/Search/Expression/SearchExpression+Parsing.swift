// SPDX-License-Identifier: Apache-2.0

extension SearchExpression {
  /// The maximum length of an expression of `CSSearchQuery` in bytes.
  package static let searchExpressionLength = 4096
  /// The maximum nesting depth of an expression of `CSSearchQuery`.
  package static let searchExpressionDepth = 16

  /// Reads an expression:
  ///
  ///     expression = conjunction { "||" conjunction }
  ///     conjunction = condition { "&&" condition }
  ///     condition = "!" condition | "(" expression ")" | range | comparison
  ///     range = "InRange" "(" attribute "," value "," value ")"
  ///     comparison = attribute operator [ "[" modifiers "]" ] value
  ///
  /// - Throws: Where it is wrong, and what was expected there.
  package init(parsing text: String) throws(SearchExpressionError) {
    guard text.utf8.count <= Self.searchExpressionLength else {
      let limit = Self.searchExpressionLength
      throw SearchExpressionError(offset: limit, expected: "the end, because a query is at most \(limit) bytes long,")
    }
    var parser = SearchExpressionParser(Array(text.utf8))
    self = try parser.expression(depth: 0)
    guard parser.scanner.isAtEnd else { throw parser.scanner.error("&& or ||") }
  }
}

struct SearchExpressionParser {
  var scanner: ExpressionScanner

  init(_ bytes: [UInt8]) { scanner = ExpressionScanner(bytes) }

  /// - Parameter depth: The number of brackets and negations around it.
  mutating func expression(depth: Int) throws(SearchExpressionError) -> SearchExpression {
    var parts = [try conjunction(depth: depth)]
    while scanner.take("||") { parts.append(try conjunction(depth: depth)) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction(depth: Int) throws(SearchExpressionError) -> SearchExpression {
    var parts = [try condition(depth: depth)]
    while scanner.take("&&") { parts.append(try condition(depth: depth)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func condition(depth: Int) throws(SearchExpressionError) -> SearchExpression {
    scanner.skipSpace()
    let offset = scanner.offset
    let isNegation = scanner.take("!")
    if isNegation || scanner.take("(") {
      guard depth < SearchExpression.searchExpressionDepth else {
        throw scanner.error(
          "a condition with at most \(SearchExpression.searchExpressionDepth) brackets around it",
          at: offset
        )
      }
      let inner = depth + 1  // Checked: it is below a limit.
      if isNegation { return .not(try condition(depth: inner)) }
      let expression = try expression(depth: inner)
      guard scanner.take(")") else { throw scanner.error("&&, || or )") }
      return expression
    }
    return try comparison()
  }

  private mutating func comparison() throws(SearchExpressionError) -> SearchExpression {
    let name = try attribute()
    if name.lowercased() == "inrange", scanner.take("(") { return try range() }
    guard let comparison = comparisonOperator() else { throw scanner.error("an operator such as ==") }
    var options: TextPattern.Options = []
    if scanner.take("[") {
      scanner.skipSpace()
      options = modifiers()
      guard scanner.take("]") else { throw scanner.error("a modifier (c, d, w or t) or ]") }
    }
    let isEquality = comparison == .equal || comparison == .notEqual
    return .comparison(attribute: name, comparison, try isEquality ? value(options) : quantity())
  }

  private mutating func range() throws(SearchExpressionError) -> SearchExpression {
    let name = try attribute()
    try scanner.expect(",")
    let low = try quantity()
    try scanner.expect(",")
    let high = try quantity()
    try scanner.expect(")")
    return .range(attribute: name, low, high)
  }

  private mutating func attribute() throws(SearchExpressionError) -> String {
    scanner.skipSpace()
    if scanner.next == UInt8(ascii: "*") {
      return String(decoding: scanner.take { $0 == UInt8(ascii: "*") }.prefix(2), as: UTF8.self)
    }
    let name = scanner.take(while: ExpressionScanner.isName)
    guard !name.isEmpty else { throw scanner.error("an attribute") }
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func comparisonOperator() -> SearchExpression.Operator? {
    // The longer ones come first.
    for comparison in SearchExpression.Operator.allCases where scanner.take(comparison.rawValue) { return comparison }
    // Spotlight takes it, too.
    return scanner.take("=") ? .equal : nil
  }

  private mutating func modifiers() -> TextPattern.Options {
    var options: TextPattern.Options = []
    while let next = scanner.next, let option = TextPattern.Options(modifier: next) {
      options.insert(option)
      _ = scanner.takeByte()
    }
    return options
  }

  // MARK: Values

  private mutating func value(
    _ options: TextPattern.Options = []
  ) throws(SearchExpressionError) -> SearchExpression.Value {
    scanner.skipSpace()
    guard let next = scanner.next else { throw scanner.error("a value") }
    if next == UInt8(ascii: "$") { return .time(try time()) }
    if ExpressionScanner.isQuote(next) { return .text(try quoted(options)) }
    let word = scanner.take(while: ExpressionScanner.isBare)
    guard !word.isEmpty else { throw scanner.error("a value") }
    return .text(TextPattern(segments: Self.segments(word), options: options))
  }

  /// A number or a time.
  private mutating func quantity() throws(SearchExpressionError) -> SearchExpression.Value {
    scanner.skipSpace()
    let offset = scanner.offset
    let value = try value()
    if case .text(let text) = value, text.number == nil { throw scanner.error("a number or a time", at: offset) }
    return value
  }

  private mutating func quoted(_ options: TextPattern.Options) throws(SearchExpressionError) -> TextPattern {
    let segments = Self.segments(try quotedBytes())
    let options = options.union(modifiers())
    if let next = scanner.next, next.isASCIIWord { throw scanner.error("a modifier (c, d, w or t), && or ||") }
    return TextPattern(segments: segments, options: options)
  }

  /// Takes a text between two quotes of the same kind. Behind a backslash, a quote is not the end.
  mutating func quotedBytes() throws(SearchExpressionError) -> [UInt8] {
    let quote = scanner.takeByte()
    var bytes: [UInt8] = []
    while let byte = scanner.takeByte() {
      if byte == quote { return bytes }
      bytes.append(byte)
      if byte == UInt8(ascii: "\\"), let next = scanner.takeByte() { bytes.append(next) }
    }
    throw scanner.error("the closing quote")
  }

  /// Divides a text at its wildcards. A character behind a backslash stands for itself.
  private static func segments(_ bytes: some Sequence<UInt8>) -> [String] {
    var segments: [[UInt8]] = []
    var segment: [UInt8] = []
    var isEscaped = false
    var isBehindWildcard = false
    for byte in bytes {
      let isWildcard = byte == UInt8(ascii: "*") && !isEscaped
      if isWildcard {
        // Several in a row are like one.
        if !isBehindWildcard {
          segments.append(segment)
          segment = []
        }
      } else if byte == UInt8(ascii: "\\") && !isEscaped {
        isEscaped = true
        isBehindWildcard = false
        continue
      } else {
        segment.append(byte)
      }
      isEscaped = false
      isBehindWildcard = isWildcard
    }
    return (segments + [segment]).map { String(decoding: $0, as: UTF8.self) }
  }
}
