// SPDX-License-Identifier: Apache-2.0

/// A text in which what makes no difference is gone. The units are bytes if all texts are ASCII, and otherwise
/// characters, which are equal however they are composed.
struct FoldedText<Unit: Equatable & Sendable> {
  var units: [Unit] = []
  /// Whether a word begins or ends before each unit, and at the end. Empty if words do not matter.
  var edges: [Bool] = []

  /// Whether a word begins or ends there.
  func isEdge(_ index: Int) -> Bool { index < edges.count && edges[index] }
}

extension FoldedText<UInt8> {
  /// - Parameter text: Only ASCII.
  init(ascii text: String, _ options: TextPattern.Options) {
    units = Array(text.utf8)
    if options.needsEdges { edges = Edges(units.map { Unicode.Scalar($0) }).edges }
    if options.contains(.caseInsensitive) { for index in units.indices { units[index] = units[index].lowercased } }
  }
}

extension FoldedText<Character> {
  init(_ text: String, _ options: TextPattern.Options) {
    var firsts: [Unicode.Scalar] = []
    for character in text {
      // Most characters of most texts are ASCII.
      if let byte = character.asciiValue, character != "\r\n" {
        units.append(options.contains(.caseInsensitive) ? Character(Unicode.Scalar(byte.lowercased)) : character)
        if options.needsEdges { firsts.append(Unicode.Scalar(byte)) }
        continue
      }
      for unit in character.folded(options) {
        units.append(unit)
        // Several units of one character have no edge between them.
        if options.needsEdges { firsts.append(character.unicodeScalars.first ?? " ") }
      }
    }
    if options.needsEdges { edges = Edges(firsts).edges }
  }
}

extension TextPattern.Options {
  var needsEdges: Bool { !isDisjoint(with: [.words, .tokens]) }
}

/// Where words begin and end: at what is no letter, at each character of a script without spaces, and between a small
/// and a capital letter.
private struct Edges {
  let edges: [Bool]

  init(_ scalars: [Unicode.Scalar]) {
    var edges = [true]
    for (left, right) in zip(scalars, scalars.dropFirst()) { edges.append(Self.isEdge(left, right)) }
    edges.append(true)
    // Without units, the beginning is the end.
    self.edges = scalars.isEmpty ? [true] : edges
  }

  private static func isEdge(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
    guard left.isLetter, right.isLetter else { return true }
    return left.properties.isLowercase && right.properties.isUppercase
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { isASCII ? UInt8(ascii: self).isASCIIWord : ScalarKind(self) == .letter }
}

extension Character {
  /// Returns the characters that it counts as.
  fileprivate func folded(_ options: TextPattern.Options) -> [Character] {
    // The only character of two that other characters are part of.
    if self == "\r\n" { return ["\r", "\n"] }
    let (ignoresCase, ignoresMarks) = (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive))
    guard ignoresCase || ignoresMarks else { return [self] }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      for plain in ignoresCase ? scalar.withoutCase : [scalar] {
        if let plain = ignoresMarks ? plain.withoutMark : plain { text.append(plain) }
      }
    }
    return Array(String(text))
  }
}
