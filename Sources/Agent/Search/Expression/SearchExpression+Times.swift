// SPDX-License-Identifier: Apache-2.0

extension SearchExpressionParser {
  /// Reads `$time.now`, `$time.today(-7)` or `$time.iso(2026-01-31)`.
  mutating func time() throws(SearchExpressionError) -> TimeReference {
    try scanner.expect("$time.")
    let offset = scanner.offset
    let name = String(decoding: scanner.take { $0.isASCIIWord || $0 == UInt8(ascii: "_") }, as: UTF8.self)
    switch (name, TimeReference.Span(rawValue: name)) {
    case ("now", _): return .now(try number(isWhole: false))
    case ("iso", _): return .iso(try isoTime())
    case (_, let span?):
      // Checked: it is a whole number with few digits.
      return .span(span, Int(exactly: try number(isWhole: true)) ?? 0)
    default:
      let names = ["now"] + TimeReference.Span.allCases.map(\.rawValue)
      throw scanner.error("\(names.joined(separator: ", ")) or iso", at: offset)
    }
  }

  /// Reads the number in brackets. Zero if there are no brackets, or nothing is in them.
  private mutating func number(isWhole: Bool) throws(SearchExpressionError) -> Double {
    guard scanner.take("(") else { return 0 }
    guard !scanner.take(")") else { return 0 }
    let offset = scanner.offset
    let text = String(decoding: scanner.take(while: Set("+-.0123456789Ee".utf8).contains), as: UTF8.self)
    let limit = TimeReference.maximumOffset
    guard let number = Double(text), abs(number) <= limit, !isWhole || number.rounded() == number else {
      throw scanner.error("a \(isWhole ? "whole number" : "number") up to \(Int64(limit))", at: offset)
    }
    try scanner.expect(")")
    return number
  }

  private mutating func isoTime() throws(SearchExpressionError) -> ISOTime {
    try scanner.expect("(")
    scanner.skipSpace()
    let offset = scanner.offset
    let text: [UInt8]
    if let next = scanner.next, ExpressionScanner.isQuote(next) {
      text = try quotedBytes()
    } else {
      text = Array(scanner.take { $0 != UInt8(ascii: ")") && !ExpressionScanner.isSpace($0) })
    }
    guard let time = ISOTime(text) else {
      throw scanner.error("a time such as 2026-01-31 or 2026-01-31T12:00:00Z", at: offset)
    }
    try scanner.expect(")")
    return time
  }
}
