// SPDX-License-Identifier: Apache-2.0

/// Parts of a text that must follow one another, with any text between them.
struct Glob<Unit: Equatable & Sendable>: Sendable {
  /// At least one.
  private let segments: [Needle<Unit>]
  /// Whether it may begin and end at any word. Otherwise, it begins and ends with the text.
  private let isOfWords: Bool

  init(_ segments: [[Unit]], isOfWords: Bool) {
    self.segments = segments.map { Needle($0) }
    self.isOfWords = isOfWords
  }

  /// The time that it takes grows with the length of the text, not with that of the text times the segments.
  func matches(_ text: FoldedText<Unit>) -> Bool {
    guard let first = segments.first, let last = segments.last else { return false }
    guard segments.count > 1 else {
      guard isOfWords, !first.isEmpty else { return text.units == first.units }
      return first.find(in: text.units, from: 0) { text.isEdge($0) && text.isEdge($1) } != nil
    }
    guard var position = end(of: first, in: text) else { return false }
    // The first place where a segment fits is the best, because it leaves the most for the others.
    for segment in segments.dropFirst().dropLast() {
      guard let end = segment.find(in: text.units, from: position, where: { _, _ in true }) else { return false }
      position = end
    }
    if last.isEmpty { return true }
    if isOfWords { return last.find(in: text.units, from: position) { text.isEdge($1) } != nil }
    return text.units.dropFirst(position).reversed().starts(with: last.units.reversed())
  }

  private func end(of first: Needle<Unit>, in text: FoldedText<Unit>) -> Int? {
    if first.isEmpty { return 0 }
    if isOfWords { return first.find(in: text.units, from: 0) { start, _ in text.isEdge(start) } }
    return text.units.starts(with: first.units) ? first.units.count : nil
  }
}

/// A part of a text that is looked for, by the algorithm of Knuth, Morris and Pratt.
struct Needle<Unit: Equatable & Sendable>: Sendable {
  let units: [Unit]
  /// For each prefix that ends there: the length of the longest shorter one with which it ends, too.
  private let borders: [Int]

  // Checked matched, index: never greater than the number of units.
  init(_ units: [Unit]) {
    self.units = units
    var borders = [Int](repeating: 0, count: units.count)
    var matched = 0
    for index in units.indices.dropFirst() {
      while matched > 0, units[matched] != units[index] { matched = borders[matched - 1] }
      if units[matched] == units[index] { matched += 1 }
      borders[index] = matched
    }
    self.borders = borders
  }

  var isEmpty: Bool { units.isEmpty }

  /// Returns the end of the first place at or behind `start` that is accepted. An empty needle is everywhere.
  func find(in text: [Unit], from start: Int, where isAccepted: (_ start: Int, _ end: Int) -> Bool) -> Int? {
    guard !units.isEmpty else { return start }
    var matched = 0
    for index in text.indices.dropFirst(start) {
      while matched > 0, units[matched] != text[index] { matched = borders[matched - 1] }
      if units[matched] == text[index] { matched += 1 }
      guard matched == units.count else { continue }
      let end = index + 1
      // Checked: the needle ends there.
      if isAccepted(end - units.count, end) { return end }
      matched = borders[matched - 1]
    }
    return nil
  }
}
