// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// Expressions of `CSSearchQuery`, and an entry that is made of the rest of the input.
enum SearchExpressionFuzzer: Fuzzer {
  static let seeds = [
    #"title == "moby*"cd && contentType == 'public.text'"#,
    #"(keywords == "al*"c || ** == "*é\"\*"wt) && !(rating < 3)"#,
    #"InRange(dueDate, $time.today(-10), $time.iso(2026-01-01T00:00:00.5+02:00)) || a != $time.this_week"#,
    "title ==[cd] *\0Moby-Dick é\u{301} ẞ 日本語\0[true,1,{\"$date\":5.5}]",
    "a = b || !c > -1e3 && d <= $time.now( +3600 )",
  ].map { Array($0.utf8) }

  static let words =
    [
      "&&", "||", "!", "(", ")", "==", "!=", "<=", ">=", "InRange(", "*", "**", "\"", "'", "\\", "[cdwt]", "\"cdwt",
      "true",
      "title", "keywords", "custom", "$time.now", "$time.iso(", "2026-02-28", "T12:00:00Z", "\0", "\u{301}", "ß",
    ] + TimeReference.Span.allCases.map { "$time.\($0.rawValue)(" }

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    let text = texts[0]
    let expression: SearchExpression
    do throws(SearchExpressionError) { expression = try SearchExpression(parsing: text) } catch {
      hold(error.offset <= text.utf8.count, "An error at \(error.offset) of \(text.utf8.count)")
      return hold(!error.expected.isEmpty, "Nothing is expected")
    }
    var entry = SavedEntry(identifier: "a")
    if texts.count > 1 {
      entry.title = texts[1]
      entry.keywords = texts[1].split(atScalar: " ").map(String.init)
    }
    if texts.count > 2, let json = try? JSON(parsing: Array(parts[2]), depth: 16) {
      entry.attributes = .object(["custom": json])
    }
    let isMatching = matches(expression, entry)
    same(matches(.not(expression), entry), !isMatching, "The opposite")
    same(matches(.all([expression, expression]), entry), isMatching, "Both")
    // Brackets make no difference if there may be more.
    if let bracketed = try? SearchExpression(parsing: " ( \(text) ) ") {
      same(bracketed, expression, "In brackets")
    }
    check(expression, entry)
  }

  private static func matches(_ expression: SearchExpression, _ entry: SavedEntry) -> Bool {
    // 2026-03-29 01:30:00 in Berlin, half an hour before the clocks change.
    SearchMatcher(expression, now: 1_774_744_200) { $0 < 1_774_746_000 ? 3600 : 7200 }.matches(entry)
  }

  /// What is true of each comparison with a text.
  private static func check(_ expression: SearchExpression, _ entry: SavedEntry) {
    switch expression {
    case .all(let parts), .any(let parts): for part in parts { check(part, entry) }
    case .not(let part): check(part, entry)
    case .comparison(let attribute, .equal, .text(let pattern)):
      // Who ignores more finds at least the same.
      if pattern.options.isDisjoint(with: [.words, .tokens]), matches(expression, entry) {
        for looser in looser(than: pattern) {
          hold(
            matches(.comparison(attribute: attribute, .equal, .text(looser)), entry),
            "\(attribute) is not \(looser)"
          )
        }
      }
      // Any text can be in the place of a wildcard. A line break does not become a character with what is beside it.
      var same = SavedEntry(identifier: "a")
      same.title = pattern.segments.joined(separator: "\n")
      for looser in [pattern] + looser(than: pattern) {
        hold(matches(.comparison(attribute: "title", .equal, .text(looser)), same), "The title is not \(looser)")
      }
    default: break
    }
  }

  private static func looser(than pattern: TextPattern) -> [TextPattern] {
    let options = pattern.options.union([.caseInsensitive, .diacriticInsensitive])
    return [TextPattern(segments: pattern.segments, options: options), TextPattern(segments: ["", ""])]
  }
}
