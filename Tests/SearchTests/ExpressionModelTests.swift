// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONCoding
import Search
import SeededGenerator
import Testing

/// Random expressions and entries. What is printed is read again as the same, and matches what a simple evaluator says.
struct ExpressionModelTests {
  /// Each test has one.
  private struct Maker {
    var random: SeededGenerator

    mutating func one<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &random)] }
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func text(_ length: Int) -> String {
      (0..<number(0...length)).map { _ in
        one(["a", "b", "A", "B", "é", "É", "e\u{301}", " ", "-", "1", "日", "*", "\\", "\""])
      }.joined()
    }

    mutating func pattern() -> TextPattern {
      var segments = [text(3)]
      for _ in 0..<one([0, 0, 1, 2]) { segments.append(text(2)) }
      // Wildcards in a row are one.
      if segments.count > 2 {
        segments =
          [segments[0]] + segments.dropFirst().dropLast().filter { !$0.isEmpty } + [segments[segments.count - 1]]
      }
      return TextPattern(segments: segments, options: TextPattern.Options(rawValue: number(0...7)))
    }

    mutating func quantity() -> SearchExpression.Value {
      switch number(0...3) {
      case 0: .time(.now(Double(number(-5...5))))
      case 1: .time(.span(one(TimeReference.Span.allCases), number(-2...2)))
      default: .text(TextPattern(segments: ["\(number(-3...3))"]))
      }
    }

    mutating func attribute() -> String { one(["title", "keywords", "custom", "rating", "*", "**"]) }

    mutating func expression(_ depth: Int) -> SearchExpression {
      switch depth > 0 ? number(0...7) : number(3...7) {
      case 0: return .all((0..<number(2...3)).map { _ in expression(depth - 1) })
      case 1: return .any((0..<number(2...3)).map { _ in expression(depth - 1) })
      case 2: return .not(expression(depth - 1))
      case 3: return .range(attribute: attribute(), quantity(), quantity())
      case 4:
        return .comparison(attribute: attribute(), one([.less, .greater, .lessOrEqual, .greaterOrEqual]), quantity())
      default:
        let value = number(0...4) == 0 ? quantity() : .text(pattern())
        return .comparison(attribute: attribute(), one([.equal, .equal, .notEqual]), value)
      }
    }

    mutating func entry() -> SavedEntry {
      var entry = SavedEntry(identifier: "-")
      if number(0...4) > 0 { entry.title = text(6) }
      entry.keywords = (0..<number(0...2)).map { _ in text(4) }
      var attributes: [String: JSON] = [:]
      if number(0...1) == 0 { attributes["custom"] = .string(text(5)) }
      if number(0...1) == 0 { attributes["rating"] = one([.integer(Int64(number(-3...3))), .bool(true), [1, 2]]) }
      if number(0...1) == 0 {
        attributes["custom"] = ["$date": .string("\(ExpressionTests.reference + Double(number(-5...5)))")]
      }
      entry.attributes = .object(attributes)
      return entry
    }
  }

  @Test(arguments: seeds(0..<24)) func randomExpressionsMatchWhatTheyShould(seed: UInt64) throws {
    var maker = Maker(random: SeededGenerator(seed: seed))
    var (matching, others) = (0, 0)
    for _ in 0..<150 {
      let expression = maker.expression(3)
      let text = ExpressionText.text(of: expression)
      let read = try SearchExpression(parsing: text)
      #expect(read == expression && ExpressionText.text(of: read) == text, "\(text)")
      let matcher = SearchMatcher(read, now: ExpressionTests.now, utcOffset: { _ in 0 })
      for _ in 0..<8 {
        let entry = maker.entry()
        let expected = SimpleEvaluator(entry: entry).matches(expression)
        #expect(matcher.matches(entry) == expected, "\(text) \(String(decoding: entry.json.bytes, as: UTF8.self))")
        if expected { matching += 1 } else { others += 1 }
      }
    }
    #expect(matching > 100 && others > 100)
  }
}

/// Writes expressions.
private enum ExpressionText {
  static func text(of expression: SearchExpression) -> String {
    switch expression {
    case .comparison(let attribute, let comparison, let value): "\(attribute) \(comparison.rawValue) \(text(of: value))"
    case .range(let attribute, let low, let high): "InRange(\(attribute), \(text(of: low)), \(text(of: high)))"
    case .all(let parts): parts.map { $0.isCompound ? "(\(text(of: $0)))" : text(of: $0) }.joined(separator: " && ")
    case .any(let parts): parts.map { $0.isAny ? "(\(text(of: $0)))" : text(of: $0) }.joined(separator: " || ")
    case .not(let part): part.isCompound ? "!(\(text(of: part)))" : "!\(text(of: part))"
    }
  }

  private static func text(of value: SearchExpression.Value) -> String {
    switch value {
    case .text(let pattern):
      let segments = pattern.segments.map { segment in
        String(
          String.UnicodeScalarView(
            segment.unicodeScalars.flatMap { "*\\\"".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }
          )
        )
      }
      let modifiers = zip([1, 2, 4, 8], ["c", "d", "w", "t"]).filter { pattern.options.rawValue & $0.0 != 0 }.map(\.1)
      return "\"\(segments.joined(separator: "*"))\"\(modifiers.joined())"
    case .time(.now(let offset)): return "$time.now(\(offset))"
    case .time(.span(let span, let offset)): return "$time.\(span.rawValue)(\(offset))"
    case .time(.iso): return ""
    }
  }
}

extension SearchExpression {
  fileprivate var isAny: Bool { if case .any = self { true } else { false } }
  fileprivate var isCompound: Bool { if case .all = self { true } else { isAny } }
}

/// Says the same in a simple way, with Foundation's folding and calendar.
private struct SimpleEvaluator {
  let entry: SavedEntry

  private enum Value {
    case text(String)
    case number(Double)
  }

  private func values(_ name: String) -> [Value] {
    switch name {
    case "*", "**": return ["title", "keywords", "custom", "rating"].flatMap(values) + [.text(entry.identifier)]
    case "title": return entry.title.map { [.text($0)] } ?? []
    case "keywords": return entry.keywords.map(Value.text)
    default: return entry.attributes?.object?[name].map(values) ?? []
    }
  }

  private func values(_ json: JSON) -> [Value] {
    if let text = json.string { return [.text(text)] }
    if let bool = json.bool { return [.number(bool ? 1 : 0)] }
    if let date = json.object?["$date"]?.string { return [.number(Double(date) ?? 0)] }
    return json.array?.flatMap(values) ?? [.number(json.number ?? 0)]
  }

  func matches(_ expression: SearchExpression) -> Bool {
    switch expression {
    case .all(let parts): return !parts.contains { !matches($0) }
    case .any(let parts): return !parts.filter(matches).isEmpty
    case .not(let part): return !matches(part)
    case .range(let name, let low, let high):
      return values(name).contains { value in
        guard case .number(let number) = value else { return false }
        return number >= start(low) && number <= start(high)
      }
    case .comparison(let name, .notEqual, let value): return !matches(.comparison(attribute: name, .equal, value))
    case .comparison(let name, let comparison, let value):
      return values(name).contains { candidate in
        switch (comparison, candidate, value) {
        case (.equal, .text(let text), .text(let pattern)): equals(text, pattern)
        case (.equal, .number, .text(let pattern)) where pattern.segments == ["", ""]: true
        case (.equal, .number(let number), .text(let pattern)):
          pattern.segments.count == 1 && Double(pattern.segments[0]) == number
        case (.equal, .number(let number), .time(let time)): equals(number, time)
        case (.less, .number(let number), _): number < start(value)
        case (.greater, .number(let number), _): number > start(value)
        case (.lessOrEqual, .number(let number), _): number <= start(value)
        case (.greaterOrEqual, .number(let number), _): number >= start(value)
        default: false
        }
      }
    }
  }

  private static let calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }()

  private func span(_ span: TimeReference.Span, _ offset: Int) -> (Double, Double) {
    let calendar = Self.calendar
    let unit: Calendar.Component =
      switch span {
      case .today, .yesterday: .day
      case .thisWeek, .lastWeek: .weekOfYear
      case .thisMonth: .month
      case .thisYear: .year
      }
    let shift = offset - ([.yesterday, .lastWeek].contains(span) ? 1 : 0)
    let now = Date(timeIntervalSinceReferenceDate: ExpressionTests.reference)
    let first = calendar.dateInterval(of: unit, for: now)?.start ?? now
    let start = calendar.date(byAdding: unit, value: shift, to: first) ?? now
    let end = calendar.date(byAdding: unit, value: 1, to: start) ?? now
    return (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
  }

  private func start(_ value: SearchExpression.Value) -> Double {
    switch value {
    case .time(.now(let offset)): ExpressionTests.reference + offset
    case .time(.span(let span, let offset)): self.span(span, offset).0
    case .text(let pattern): Double(pattern.segments[0]) ?? .nan
    case .time(.iso): .nan
    }
  }

  private func equals(_ number: Double, _ time: TimeReference) -> Bool {
    guard case .span(let span, let offset) = time else { return number == start(.time(time)) }
    let (first, end) = self.span(span, offset)
    return number >= first && number < end
  }

  // MARK: Texts

  private func fold(_ text: String, _ options: TextPattern.Options) -> String {
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return text.folding(options: folding, locale: nil)
  }

  /// Tries all ways to begin, to end and to divide.
  private func equals(_ text: String, _ pattern: TextPattern) -> Bool {
    let characters = Array(text)
    let options = pattern.options
    guard options.contains(.words) else {
      return glob(fold(text, options)[...], pattern.segments.map { fold($0, options) }[...])
    }
    if pattern.segments == [""] { return text.isEmpty }
    let edges = (0...characters.count).filter { isEdge($0, characters) }
    let segments = pattern.segments.map { fold($0, options) }[...]
    let starts = segments.first == "" && segments.count > 1 ? Array(0...characters.count) : edges
    let ends = segments.last == "" && segments.count > 1 ? Array(0...characters.count) : edges
    for start in starts {
      for end in ends where end >= start {
        if glob(fold(String(characters[start..<end]), options)[...], segments) { return true }
      }
    }
    return false
  }

  private func isEdge(_ index: Int, _ text: [Character]) -> Bool {
    guard index > 0, index < text.count else { return true }
    let (left, right) = (text[index - 1], text[index])
    let letters: Set<Character> = ["a", "b", "A", "B", "é", "É", "1"]
    guard letters.contains(left), letters.contains(right) else { return true }
    return left.isLowercase && right.isUppercase
  }

  private func glob(_ text: Substring, _ segments: ArraySlice<String>) -> Bool {
    guard let first = segments.first else { return text.isEmpty }
    guard text.hasPrefix(first) else { return false }
    let rest = text.dropFirst(first.count)
    if segments.count == 1 { return rest.isEmpty }
    return (0...rest.count).contains { glob(rest.dropFirst($0), segments.dropFirst()) }
  }
}
