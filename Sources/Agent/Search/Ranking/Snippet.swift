// SPDX-License-Identifier: Apache-2.0

/// The part of a text that contains what was searched for.
package struct Snippet: Equatable, Sendable {
  package let text: String
  /// Where the words are, in bytes.
  package let matches: [Range<Int>]

  /// The maximum length in bytes, without the dots at both ends.
  package static let maximumLength = 160

  /// Nil if none of the words is there.
  package init?(of text: String, for search: SearchWords) {
    let matches = search.matches(in: text)
    guard let first = matches.first else { return nil }
    let utf8 = text.utf8
    // A quarter of the snippet is before the first word.
    var start = utf8.index(utf8.startIndex, offsetBy: max(first.lowerBound - Self.maximumLength / 4, 0))
    if start > utf8.startIndex, let space = utf8[start...].prefix(Self.maximumLength / 4).firstIndex(of: 0x20) {
      start = utf8.index(after: space)
    }
    while start < utf8.endIndex, start.samePosition(in: text.unicodeScalars) == nil { start = utf8.index(after: start) }
    let rest = String(text[start...])
    var part = String(rest.utf8Prefix(Self.maximumLength))
    let isWhole = part.utf8.count == rest.utf8.count
    if !isWhole, let space = part.utf8.lastIndex(of: 0x20),
      part.utf8.distance(from: space, to: part.utf8.endIndex) < Self.maximumLength / 4
    {
      part = String(part[..<space])
    }
    // Line breaks are spaces, which take one byte, too.
    part = String(decoding: part.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
    let prefix = start > utf8.startIndex ? "…" : ""
    let offset = prefix.utf8.count - utf8.distance(from: utf8.startIndex, to: start)
    self.text = prefix + part + (isWhole ? "" : "…")
    let end = prefix.utf8.count + part.utf8.count
    self.matches = matches.compactMap { match in
      let lower = match.lowerBound + offset
      let upper = match.upperBound + offset
      return lower >= prefix.utf8.count && upper <= end ? lower..<upper : nil
    }
  }
}
