// SPDX-License-Identifier: Apache-2.0

/// An expression at a time and a place, ready for many entries.
package struct SearchMatcher: Sendable {
  private let condition: Condition

  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - utcOffset: Returns the difference between local time and UTC at a time in seconds since 1970, in seconds.
  package init(_ expression: SearchExpression, now: Double, utcOffset: @escaping (Double) -> Double) {
    condition = Condition(expression, LocalTime(now: now, utcOffset: utcOffset))
  }

  package func matches(_ entry: SavedEntry) -> Bool { condition.matches(EntryAttributes(entry)) }
}

private indirect enum Condition: Sendable {
  /// One of the attribute's values has to pass.
  case attribute(String, Test)
  case all([Condition])
  case any([Condition])
  case not(Condition)

  init(_ expression: SearchExpression, _ time: LocalTime) {
    switch expression {
    case .all(let parts): self = .all(parts.map { Condition($0, time) })
    case .any(let parts): self = .any(parts.map { Condition($0, time) })
    case .not(let part): self = .not(Condition(part, time))
    case .range(let attribute, let low, let high):
      self = .attribute(attribute, .between(time.number(low), time.number(high)))
    case .comparison(let attribute, let comparison, let value):
      switch comparison {
      case .equal: self = .attribute(attribute, Test(equal: value, time))
      // This is also true of an attribute that is not there.
      case .notEqual: self = .not(.attribute(attribute, Test(equal: value, time)))
      case .less: self = .attribute(attribute, .less(time.number(value)))
      case .lessOrEqual: self = .attribute(attribute, .between(-.infinity, time.number(value)))
      case .greater: self = .attribute(attribute, .greater(time.number(value)))
      case .greaterOrEqual: self = .attribute(attribute, .between(time.number(value), .infinity))
      }
    }
  }

  func matches(_ attributes: EntryAttributes) -> Bool {
    switch self {
    case .attribute(let name, let test): attributes.values(of: name).contains(where: test.passes)
    case .all(let parts): parts.allSatisfy { $0.matches(attributes) }
    case .any(let parts): parts.contains { $0.matches(attributes) }
    case .not(let part): !part.matches(attributes)
    }
  }
}

private enum Test: Sendable {
  case anything
  case text(TextMatcher, number: Double?)
  /// From the first to before the second, or exactly the first if they are the same.
  case time(Double, Double)
  case less(Double)
  case greater(Double)
  case between(Double, Double)

  init(equal value: SearchExpression.Value, _ time: LocalTime) {
    switch value {
    case .text(let pattern):
      self = pattern.isWildcard ? .anything : .text(TextMatcher(pattern), number: pattern.number)
    case .time(let reference):
      let (start, end) = time.times(of: reference)
      self = .time(start, end)
    }
  }

  func passes(_ value: EntryAttributes.Value) -> Bool {
    switch (self, value) {
    case (.anything, _): true
    case (.text(let matcher, _), .text(let text)): matcher.matches(text)
    case (.text(_, let number), .number(let value)): number == value
    case (.time(let start, let end), .number(let value)): value == start || value > start && value < end
    case (.less(let limit), .number(let value)): value < limit
    case (.greater(let limit), .number(let value)): value > limit
    case (.between(let low, let high), .number(let value)): low <= value && value <= high
    case (_, .text): false
    }
  }
}

extension LocalTime {
  /// What a number is compared with: of a day, a week, a month or a year, its beginning.
  fileprivate func number(_ value: SearchExpression.Value) -> Double {
    switch value {
    // NaN is neither less nor greater than any number.
    case .text(let pattern): pattern.number ?? .nan
    case .time(let reference): times(of: reference).start
    }
  }
}
