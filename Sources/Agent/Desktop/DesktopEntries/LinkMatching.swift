// SPDX-License-Identifier: Apache-2.0

import Activity

/// Comparing a page with what domains say about it takes too much work.
struct OutOfSteps: Error {}

/// Compares a page's URL with the patterns of associations. The work is limited, because domains write the patterns.
struct LinkMatching: Sendable {
  /// The URL as it is, and without its percent-encoding.
  private let encoded: LinkText
  private let decoded: LinkText
  /// The remaining steps. One step is about the work of comparing two characters.
  private(set) var steps: Int

  /// What starting an operation costs, in addition to its own work.
  static let begin = 128

  init(_ page: WebPage, steps: Int = Limits.pageSteps) {
    encoded = LinkText(page, isPercentEncoded: true)
    decoded = LinkText(page, isPercentEncoded: false)
    self.steps = steps
  }

  /// The text of the page that a component is compared with.
  func text(isPercentEncoded: Bool) -> LinkText { isPercentEncoded ? encoded : decoded }

  /// Counts work before it is done.
  mutating func spend(_ count: Int) throws(OutOfSteps) {
    guard count < steps else {
      steps = 0
      throw OutOfSteps()
    }
    steps -= count  // Checked: fewer than are left.
  }

  /// Whether the pattern fits this part of the URL as a whole.
  mutating func fits(_ pattern: LinkPattern, _ part: LinkText.Part, isCaseSensitive: Bool) throws(OutOfSteps) -> Bool {
    try spend(Self.begin + part.scalars.count)
    let text = isCaseSensitive ? part.scalars : part.folded
    let places = try ends(pattern.elements, text, from: LinkPlaces(in: text.count), isCaseSensitive)
    return places.containsEnd
  }

  /// Returns where in the text the elements may end if they begin at one of these places.
  private mutating func ends(
    _ elements: [LinkPattern.Element],
    _ text: [Unicode.Scalar],
    from starts: LinkPlaces,
    _ isCaseSensitive: Bool
  ) throws(OutOfSteps) -> LinkPlaces {
    var places = starts
    for element in elements {
      guard !places.isEmpty else { return places }
      try spend(places.span)
      switch element {
      case .any:
        try spend(places.remainder)
        places.extend()
      case .choice(let choices):
        var all = places.none
        for choice in choices {
          try spend(Self.begin + text.count)
          all.formUnion(try ends(choice, text, from: places, isCaseSensitive))
        }
        places = all
      case .one: places.advance { _ in true }
      case .scalar(let wanted, let folded):
        let wanted = isCaseSensitive ? wanted : folded
        places.advance { text[$0] == wanted }
      case .oneOf(let letters): places.advance { letters.contain(text[$0], isCaseSensitive: isCaseSensitive) }
      }
    }
    return places
  }
}

/// Places in a text. All of them lie in a span, which is short for most patterns.
private struct LinkPlaces {
  // Checked first, last, end, index: at most the end of the text, which is an index of isPlace.
  private var isPlace: [Bool]
  private var first = 0
  private var last = 0

  /// The start of a text.
  init(in count: Int) {
    isPlace = [Bool](repeating: false, count: count + 1)
    isPlace[0] = true  // Checked: it has one element more than the text has characters.
  }

  private var end: Int { isPlace.count - 1 }
  var isEmpty: Bool { first > last }
  var containsEnd: Bool { isPlace[end] }
  /// The length of the span in which the places lie.
  var span: Int { last - first + 1 }
  /// How many places there are from the first to the end of the text.
  var remainder: Int { end - first + 1 }

  /// The empty set of places in the same text.
  var none: LinkPlaces {
    var copy = self
    copy.isPlace = [Bool](repeating: false, count: isPlace.count)
    (copy.first, copy.last) = (end + 1, end)
    return copy
  }

  /// Adds all places from the first to the end of the text.
  mutating func extend() {
    for index in first...end { isPlace[index] = true }
    last = end
  }

  /// Moves every place whose character fits to the next one, and drops the others.
  mutating func advance(_ fits: (Int) -> Bool) {
    // The last place first, because each is computed from the one before it.
    for index in (first...last).reversed() where index < end { isPlace[index + 1] = isPlace[index] && fits(index) }
    isPlace[first] = false
    first += 1
    last = min(last + 1, end)
    while first <= last, !isPlace[first] { first += 1 }
    while first <= last, !isPlace[last] { last -= 1 }
  }

  mutating func formUnion(_ other: LinkPlaces) {
    guard !other.isEmpty else { return }
    for index in other.first...other.last where other.isPlace[index] { isPlace[index] = true }
    last = isEmpty ? other.last : max(last, other.last)
    first = min(first, other.first)
  }
}
