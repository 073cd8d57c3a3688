// SPDX-License-Identifier: Apache-2.0

import Activity

/// A page's URL as patterns are compared with it. It is taken apart once for all patterns.
struct LinkText: Sendable {
  struct Part: Hashable, Sendable {
    let scalars: [Unicode.Scalar]
    /// The same, folded for comparing without regard to case.
    let folded: [Unicode.Scalar]

    init(_ text: String) {
      scalars = Array(text.unicodeScalars)
      folded = scalars.map(\.folded)
    }
  }

  let path: Part
  let query: Part
  let fragment: Part
  /// The values of the query's items by name, without duplicates.
  private let items: [String: [Part]]
  /// The values of an item that the query does not have.
  private static let nothing = [Part("")]

  init(_ page: WebPage, isPercentEncoded: Bool) {
    func text(_ part: String) -> String {
      guard !isPercentEncoded, let bytes = PercentEncoding.decode(part) else { return part }
      return String(decoding: bytes, as: UTF8.self)
    }
    path = Part(text(page.path))
    query = Part(text(page.query))
    fragment = Part(text(page.fragment))
    var items: [String: [Part]] = [:]
    var known: [String: Set<Part>] = [:]
    for item in page.query.split(atScalar: "&") {
      let key = item.scalarPrefix(while: { $0 != "=" })
      let (name, value) = (text(String(key)), Part(text(String(item[key.endIndex...].unicodeScalars.dropFirst()))))
      if known[name, default: []].insert(value).inserted { items[name, default: []].append(value) }
    }
    self.items = items
  }

  func values(of name: String) -> [Part] { items[name] ?? Self.nothing }
}

extension Unicode.Scalar {
  /// The lowercase form of an uppercase letter; any other scalar unchanged.
  var folded: Unicode.Scalar {
    if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(ascii: self) | 0x20) : self }
    let mapping = properties.lowercaseMapping.unicodeScalars
    guard mapping.count == 1, let small = mapping.first else { return self }
    return small
  }
}
