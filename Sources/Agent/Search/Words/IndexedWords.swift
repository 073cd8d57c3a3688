// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The words by which an entry is found, as the full-text index keeps them: separated by spaces, each once. Words of
/// the title are there again as `#word`, and words of the title and the keywords as `@word`. So the index finds what
/// has all words in its title without reading the lists of all entries that mention them.
package struct IndexedWords: Equatable, Sendable {
  package let text: String

  package init(_ entry: SavedEntry) {
    let title = entry.displayTitle.map { Words.words(of: $0) } ?? []
    let keywords = entry.keywords.flatMap { Words.words(of: $0) }
    let rest = [entry.contentDescription, entry.textContent].compactMap(\.self).flatMap { Words.words(of: $0) }
    var bytes: [UInt8] = []
    Self.append(title + keywords + rest, to: &bytes)
    Self.append(title, mark: UInt8(ascii: "#"), to: &bytes)
    Self.append(title + keywords, mark: UInt8(ascii: "@"), to: &bytes)
    text = String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ words: [Word], mark: UInt8? = nil, to bytes: inout [UInt8]) {
    var seen: Set<[UInt8]> = []
    for word in words where seen.insert(word.folded).inserted {
      if let mark { bytes.append(mark) }
      bytes += word.folded
      bytes.append(UInt8(ascii: " "))
    }
  }
}

/// Which words of an entry must contain what is searched for.
package enum MatchedPart: String, CaseIterable, Sendable {
  case any = ""
  case names = "@"
  case title = "#"
}

extension SearchWords {
  /// The expression of FTS5. Words are quoted and contain neither quotes nor NUL, so they are never operators.
  package func expression(_ part: MatchedPart) -> String {
    parts.map { word in
      "\"\(part.rawValue)\(String(decoding: word.folded, as: UTF8.self))\"\(word.isPrefix ? " *" : "")"
    }.joined(separator: " AND ")
  }
}

extension SavedEntry {
  /// What people see as its title.
  package var displayTitle: String? {
    [title, attributes?.object?["displayName"]?.string, activity?.title].compactMap(\.self).first { !$0.isEmpty }
  }

  /// What people see if there is no title: the page, or the name that the app gave it.
  package var label: String { displayTitle ?? activity?.webpageURL ?? identifier }
}
