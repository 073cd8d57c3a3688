/// A condition in the language of `CSSearchQuery`.
package indirect enum SearchExpression: Equatable, Sendable {
  package enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  package enum Value: Equatable, Sendable {
    case text(TextPattern)
    case number(Double)
    case moment(Moment)
  }

  case all([SearchExpression])
  case any([SearchExpression])
  case not(SearchExpression)
  case comparison(attribute: String, Comparison, Value)
  /// Both ends are in the range.
  case inRange(attribute: String, Value, Value)
}

/// Why an expression is none, and where.
package struct ExpressionError: Error, Equatable, Sendable {
  package let message: String
  /// In bytes.
  package let offset: Int
}

extension SearchExpression {
  /// Whether the entry meets the condition.
  ///
  /// - Parameter clock: For moments that are relative to now.
  package func matches(_ entry: SavedEntry, _ clock: Moment.Clock) -> Bool {
    switch self {
    case .all(let parts): parts.allSatisfy { $0.matches(entry, clock) }
    case .any(let parts): parts.contains { $0.matches(entry, clock) }
    case .not(let part): !part.matches(entry, clock)
    case .comparison(let attribute, .notEqual, let value):
      !SearchExpression.comparison(attribute: attribute, .equal, value).matches(entry, clock)
    case .comparison(let attribute, let comparison, let value):
      entry.values(of: attribute).contains { comparison.holds($0, value, clock) }
    case .inRange(let attribute, let low, let high):
      entry.values(of: attribute).contains { value in
        Comparison.greaterOrEqual.holds(value, low, clock) && Comparison.lessOrEqual.holds(value, high, clock)
      }
    }
  }
}

extension SearchExpression.Comparison {
  fileprivate func holds(_ left: AttributeValue, _ right: SearchExpression.Value, _ clock: Moment.Clock) -> Bool {
    switch (left, right) {
    case (.text(let text), .text(let pattern)):
      if self == .equal { return pattern.matches(text) }
      let (left, right) = (pattern.folded(text), pattern.folded(pattern.literal))
      return holds(left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1, 0)
    case (.text(let text), .number(let number)): return Double(text).map { holds($0, number) } ?? false
    case (.number(let left), .number(let right)): return holds(left, right)
    case (.number(let left), .text(let right)): return Double(right.literal).map { holds(left, $0) } ?? right.isAnything
    case (.date(let left), .moment(let right)): return holds(left, right.date(clock))
    // Seconds since 2001, as Foundation has them.
    case (.date(let left), .number(let right)): return holds(left, right)
    case (.number(let left), .moment(let right)): return holds(left, right.date(clock))
    case (.date, .text(let right)): return self == .equal && right.isAnything
    case (.text, .moment): return false
    }
  }

  private func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}
