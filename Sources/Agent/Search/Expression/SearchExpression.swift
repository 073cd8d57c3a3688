// SPDX-License-Identifier: Apache-2.0

/// What an entry must be like to match a query: the language of `CSSearchQuery`.
package indirect enum SearchExpression: Hashable, Sendable {
  /// An attribute is compared with a value.
  case comparison(attribute: String, Operator, Value)
  /// An attribute is a number from the one to the other.
  case range(attribute: String, Value, Value)
  /// At least two.
  case all([SearchExpression])
  /// At least two.
  case any([SearchExpression])
  case not(SearchExpression)

  package enum Operator: String, CaseIterable, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  package enum Value: Hashable, Sendable {
    case text(TextPattern)
    case time(TimeReference)
  }

  /// The names that stand for all attributes.
  static let allAttributes: Set<String> = ["*", "**"]
}

/// A text with wildcards, and how it is compared.
package struct TextPattern: Hashable, Sendable {
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    /// The text is somewhere in the attribute, from the edge of a word to the edge of a word.
    package static let words = Options(rawValue: 4)
    /// Each word of the text is a word of the attribute, in any order.
    package static let tokens = Options(rawValue: 8)

    /// The letter behind a text that sets it.
    init?(modifier: UInt8) {
      switch modifier {
      case UInt8(ascii: "c"): self = .caseInsensitive
      case UInt8(ascii: "d"): self = .diacriticInsensitive
      case UInt8(ascii: "w"): self = .words
      case UInt8(ascii: "t"): self = .tokens
      default: return nil
      }
    }
  }

  /// What is between the wildcards, each of which stands for any text. There is one wildcard less.
  package let segments: [String]
  package let options: Options

  package init(segments: [String], options: Options = []) {
    self.segments = segments
    self.options = options
  }

  /// Whether it matches everything.
  var isWildcard: Bool { segments == ["", ""] }

  /// The number that is compared with numbers, if it is one. Truth values are numbers, too.
  package var number: Double? {
    guard segments.count == 1, let text = segments.first else { return nil }
    switch text.lowercased() {
    case "true", "yes": return 1
    case "false", "no": return 0
    default:
      // `Double` also takes words and hexadecimal digits.
      let isDecimal = text.utf8.allSatisfy(Set("+-.0123456789Ee".utf8).contains)
      return isDecimal ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }
  }
}
