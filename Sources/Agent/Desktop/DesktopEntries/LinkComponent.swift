// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A set of pages of a domain, described by their URLs: an element of `components`, or of the older `paths`.
struct LinkComponent: Sendable {
  private var path: LinkPattern?
  private var query: LinkPattern?
  private var queryItems: [(name: String, pattern: LinkPattern)] = []
  private var fragment: LinkPattern?
  /// Whether the apps do not show these pages.
  private(set) var isExcluded = false
  private var isCaseSensitive = true
  private var isPercentEncoded = true

  /// - Parameter members: The component's own members and those of the defaults.
  /// - Returns: Nil if something is malformed.
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
        for (name, value) in items.sorted(by: { $0.key < $1.key }) {
          guard let pattern = pattern(value) else { return nil }
          queryItems.append((name, pattern))
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

  /// - Parameter path: A pattern, with `NOT ` before it if these pages are excluded.
  init?(path: String) {
    let excluded = path.rest(afterBytesOf: "NOT ")
    isExcluded = excluded != nil
    self.path = LinkPattern(excluded.map(String.init) ?? path, [:])
    if self.path == nil { return nil }
  }

  /// Whether every part of the page's URL fits. Parts that the URL does not have are empty.
  func matches(_ matching: inout LinkMatching) throws(OutOfSteps) -> Bool {
    try matching.spend(LinkMatching.begin)
    let page = matching.text(isPercentEncoded: isPercentEncoded)
    for (pattern, part) in [(path, page.path), (fragment, page.fragment), (query, page.query)] {
      guard let pattern else { continue }
      guard try matching.fits(pattern, part, isCaseSensitive: isCaseSensitive) else { return false }
    }
    for (name, pattern) in queryItems {
      try matching.spend(LinkMatching.begin + name.utf8.count)
      for value in page.values(of: name) {
        guard try matching.fits(pattern, value, isCaseSensitive: isCaseSensitive) else { return false }
      }
    }
    return true
  }
}
