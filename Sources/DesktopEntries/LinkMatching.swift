import Activity

/// The work of comparing a page with what domains say of it is too much.
struct OutOfSteps: Error {}

/// Compares a page's URL with the patterns of associations: with an end to the work, as domains wrote them.
struct LinkMatching: Sendable {
  /// The URL as it is, and without its percent-encoding.
  private let encoded: LinkText
  private let decoded: LinkText
  /// Those that are left. One is about the work of comparing two characters.
  private(set) var steps: Int

  /// What setting out to do something costs beside what it then does.
  static let begin = 128

  init(_ page: WebPage, steps: Int = Limits.pageSteps) {
    encoded = LinkText(page, isPercentEncoded: true)
    decoded = LinkText(page, isPercentEncoded: false)
    self.steps = steps
  }

  /// What components mean by the page.
  func text(isPercentEncoded: Bool) -> LinkText { isPercentEncoded ? encoded : decoded }

  /// Counts work before it is done.
  mutating func spend(_ count: Int) throws(OutOfSteps) {
    guard count < steps else {
      steps = 0
      throw OutOfSteps()
    }
    steps -= count  // Checked: less than there are.
  }

  /// Whether the pattern fits the whole of this part of the URL.
  mutating func fits(_ pattern: LinkPattern, _ part: LinkText.Part, isCaseSensitive: Bool) throws(OutOfSteps) -> Bool {
    try spend(Self.begin + part.scalars.count)
    let text = isCaseSensitive ? part.scalars : part.folded
    let places = try ends(pattern.elements, text, from: LinkPlaces(in: text.count), isCaseSensitive)
    return places.containsEnd
  }

  /// Where in the text the elements may end, if they begin at one of these places.
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

/// Places in a text, of which all lie in a span that is small for most patterns.
private struct LinkPlaces {
  // Checked first, last, end, index: not behind the end of the text, which is an index of isPlace.
  private var isPlace: [Bool]
  private var first = 0
  private var last = 0

  /// The begin of a text.
  init(in count: Int) {
    isPlace = [Bool](repeating: false, count: count + 1)
    isPlace[0] = true  // Checked: there is one more than characters.
  }

  private var end: Int { isPlace.count - 1 }
  var isEmpty: Bool { first > last }
  var containsEnd: Bool { isPlace[end] }
  /// How many places there may be.
  var span: Int { last - first + 1 }
  /// How many there are to the end of the text.
  var remainder: Int { end - first + 1 }

  /// No place of the same text.
  var none: LinkPlaces {
    var copy = self
    copy.isPlace = [Bool](repeating: false, count: isPlace.count)
    (copy.first, copy.last) = (end + 1, end)
    return copy
  }

  /// All from the first on.
  mutating func extend() {
    for index in first...end { isPlace[index] = true }
    last = end
  }

  /// The one after each whose character fits.
  mutating func advance(_ fits: (Int) -> Bool) {
    // The last place first: each comes from the one before it.
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
