import JSON

/// Some pages of a domain, by their URLs: an element of `components`, or of the older `paths`.
struct LinkComponent: Equatable, Sendable {
  private var path: LinkPattern?
  private var query: LinkPattern?
  private var queryItems: [String: LinkPattern] = [:]
  private var fragment: LinkPattern?
  /// The apps do not show these pages.
  private(set) var isExcluded = false
  private var isCaseSensitive = true
  private var isPercentEncoded = true

  /// - Parameter members: Its own and those of the defaults.
  /// - Returns: Nil where something is not as it should be.
  init?(_ members: [String: JSON], _ variables: [String: LinkPattern.Element]) {
    func pattern(_ json: JSON) -> LinkPattern? { json.string.flatMap { LinkPattern($0, variables) } }
    for (key, value) in members {
      switch key {
      case "/":
        guard let pattern = pattern(value) else { return nil }
        path = pattern
      case "#":
        guard let pattern = pattern(value) else { return nil }
        fragment = pattern
      case "?":
        guard let items = value.object else {
          guard let pattern = pattern(value) else { return nil }
          query = pattern
          continue
        }
        for (name, value) in items {
          guard let pattern = pattern(value) else { return nil }
          queryItems[name] = pattern
        }
      case "exclude", "caseSensitive", "percentEncoded":
        guard let flag = value.bool else { return nil }
        switch key {
        case "exclude": isExcluded = flag
        case "caseSensitive": isCaseSensitive = flag
        default: isPercentEncoded = flag
        }
      default: break
      }
    }
  }

  /// - Parameter path: A pattern, after `NOT ` where these pages are excluded.
  init?(path: String) {
    isExcluded = path.hasPrefix("NOT ")
    self.path = LinkPattern(isExcluded ? String(path.dropFirst(4)) : path, [:])
    if self.path == nil { return nil }
  }

  /// Whether the page's URL fits in all parts. What the URL does not have is empty.
  func matches(_ matching: inout LinkMatching) -> Bool {
    matching.isCaseSensitive = isCaseSensitive
    matching.isPercentEncoded = isPercentEncoded
    let page = matching.page
    guard path.map({ matching.fits($0, page.path) }) ?? true,
      fragment.map({ matching.fits($0, page.fragment) }) ?? true,
      query.map({ matching.fits($0, page.query) }) ?? true
    else { return false }
    return queryItems.allSatisfy { name, pattern in
      let values = matching.values(of: name)
      return (values.isEmpty ? [""] : values).allSatisfy { matching.fits(pattern, $0) }
    }
  }
}
