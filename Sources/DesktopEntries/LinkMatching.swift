import Activity

/// Compares a page's URL with the patterns of an association: with an end to the work, as the domain wrote them.
struct LinkMatching {
  let page: WebPage
  var isCaseSensitive = true
  /// Whether patterns mean the URL as it is, or without its percent-encoding.
  var isPercentEncoded = true
  private var steps: Int

  init(_ page: WebPage, steps: Int = Limits.associationSteps) {
    self.page = page
    self.steps = steps
  }

  /// It was too much: nothing fits, or fits only perhaps.
  var isExhausted: Bool { steps <= 0 }

  /// The values of the query's items with this name; empty where an item has none.
  mutating func values(of name: String) -> [String] {
    steps -= page.query.utf8.count
    guard !isExhausted else { return [] }
    return page.query.split(separator: "&").compactMap { item in
      let key = item.prefix { $0 != "=" }
      return text(String(key)) == name ? String(item.dropFirst(key.count + 1)) : nil
    }
  }

  /// Whether the pattern fits the whole of this part of the URL.
  mutating func fits(_ pattern: LinkPattern, _ part: String) -> Bool {
    steps -= part.utf8.count
    guard !isExhausted else { return false }
    let text = Array(text(part).unicodeScalars)
    var start = [Bool](repeating: false, count: text.count + 1)
    start[0] = true
    return ends(pattern.elements, text, from: start).last == true
  }

  private func text(_ part: String) -> String {
    guard !isPercentEncoded, let bytes = PercentEncoding.decode(part) else { return part }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where in the text the elements may end, if they begin at one of the places of `starts`.
  private mutating func ends(_ elements: [LinkPattern.Element], _ text: [Unicode.Scalar], from starts: [Bool]) -> [Bool]
  {
    var places = starts
    for element in elements {
      steps -= places.count
      guard !isExhausted, let first = places.firstIndex(of: true) else {
        return [Bool](repeating: false, count: places.count)
      }
      switch element {
      case .any:
        for index in places.indices where index > first { places[index] = true }
      case .choice(let choices):
        var all = [Bool](repeating: false, count: places.count)
        for choice in choices {
          for (index, isEnd) in ends(choice, text, from: places).enumerated() where isEnd { all[index] = true }
          steps -= places.count
        }
        places = all
      case .one, .scalar, .oneOf:
        // The last place first: each comes from the one before it.
        for index in places.indices.dropFirst().reversed() {
          places[index] = places[index - 1] && matches(element, text[index - 1])
        }
        places[0] = false
      }
    }
    return places
  }

  private func matches(_ element: LinkPattern.Element, _ scalar: Unicode.Scalar) -> Bool {
    switch element {
    case .scalar(let wanted):
      scalar == wanted
        || (!isCaseSensitive && scalar.properties.lowercaseMapping == wanted.properties.lowercaseMapping)
    case .oneOf(let letters): letters.contain(scalar, isCaseSensitive: isCaseSensitive)
    case .one, .any, .choice: true
    }
  }
}
