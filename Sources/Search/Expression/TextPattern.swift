/// A text to compare with, in which `*` is any text and `?` any character.
package struct TextPattern: Equatable, Sendable {
  /// How texts are compared.
  package struct Modifiers: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let ignoresCase = Modifiers(rawValue: 1)
    package static let ignoresAccents = Modifiers(rawValue: 2)
    /// Whether some of the words of a text may match.
    package static let comparesWords = Modifiers(rawValue: 4)
  }

  package enum Element: Equatable, Sendable {
    case scalar(Unicode.Scalar)
    case anyText
    case anyCharacter
  }

  package let elements: [Element]
  package let modifiers: Modifiers

  package init(_ elements: [Element], _ modifiers: Modifiers = []) {
    self.elements = elements
    self.modifiers = modifiers
  }

  /// The text without its wildcards.
  var literal: String {
    var text = String.UnicodeScalarView()
    for case .scalar(let scalar) in elements { text.append(scalar) }
    return String(text)
  }

  /// Whether every text matches.
  var isAnything: Bool { !elements.isEmpty && elements.allSatisfy { $0 == .anyText } }

  func matches(_ text: String) -> Bool {
    if isAnything { return true }
    return modifiers.contains(.comparesWords) ? matchesWords(of: text) : matches(folded(text))
  }

  /// The text as it is compared.
  func folded(_ text: String) -> [UInt32] {
    var folded: [UInt32] = []
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { fold(scalar, to: &folded) }
    return folded
  }

  private func fold(_ scalar: Unicode.Scalar, to folded: inout [UInt32]) {
    if scalar.isASCII {
      folded.append(
        modifiers.contains(.ignoresCase) ? UInt32(UInt8(truncatingIfNeeded: scalar.value).lowercased) : scalar.value
      )
      return
    }
    if modifiers.contains(.ignoresAccents), ScalarKind(scalar) == .mark { return }
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      let base = modifiers.contains(.ignoresAccents) ? MarkedLetters.bases[lower] ?? lower : lower
      if modifiers.contains(.ignoresCase) || lower == scalar {
        if !(modifiers.contains(.ignoresAccents) && ScalarKind(base) == .mark) { folded.append(base.value) }
      } else if base != lower {
        folded += base.properties.uppercaseMapping.unicodeScalars.map(\.value)
      } else {
        folded.append(scalar.value)
        return
      }
    }
  }

  /// An element as it is compared.
  private enum Step {
    case scalar(UInt32)
    case anyText
    case anyCharacter
  }

  private var steps: [Step] {
    elements.flatMap { element -> [Step] in
      switch element {
      case .anyText: return [.anyText]
      case .anyCharacter: return [.anyCharacter]
      case .scalar(let scalar):
        var folded: [UInt32] = []
        fold(scalar, to: &folded)
        return folded.map(Step.scalar)
      }
    }
  }

  private func matches(_ text: [UInt32]) -> Bool { Self.matches(text[...], steps[...]) }

  /// Compares from left to right. If that fails, the last `*` takes one more character.
  private static func matches(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<Step>) -> Bool {
    var (text, pattern) = (text, pattern)
    var retry: (text: ArraySlice<UInt32>, pattern: ArraySlice<Step>)?
    while true {
      switch pattern.first {
      case .anyText:
        pattern = pattern.dropFirst()
        retry = (text, pattern)
        continue
      case .scalar(let scalar) where text.first == scalar:
        text = text.dropFirst()
        pattern = pattern.dropFirst()
        continue
      case .anyCharacter where !text.isEmpty:
        text = text.dropFirst()
        pattern = pattern.dropFirst()
        continue
      case nil where text.isEmpty: return true
      default: break
      }
      guard let last = retry, !last.text.isEmpty else { return false }
      text = last.text.dropFirst()
      pattern = last.pattern
      retry = (text, pattern)
    }
  }

  /// Whether words of the text that follow one another match the words of the pattern.
  private func matchesWords(of text: String) -> Bool {
    let parts = steps.split { step in
      if case .scalar(let value) = step, let scalar = Unicode.Scalar(value) { return !scalar.isWord }
      return false
    }
    guard !parts.isEmpty else { return false }
    let words = folded(text).split { Unicode.Scalar($0).map { !$0.isWord } ?? true }
    guard words.count >= parts.count else { return false }
    return (0...(words.count - parts.count)).contains { start in
      zip(words[start...], parts).allSatisfy { word, part in Self.matches(word, part) }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isWord: Bool {
    isASCII ? UInt8(truncatingIfNeeded: value).isASCIIWord : ScalarKind(self) != .separator
  }
}
