// SPDX-License-Identifier: Apache-2.0

import Activity
import Search

extension IndexReader {
  /// The number of entries that are compared for suggestions: those that were used last.
  private static let suggestionCandidates = 1000

  /// Returns activities of this machine that are likely to be next, the most likely first.
  ///
  /// - Parameters:
  ///   - now: In seconds since 1970.
  ///   - utcOffset: The difference between local time and UTC, in seconds.
  package func suggestions(limit: Int, now: Double, utcOffset: Double) throws(IndexError) -> [FoundEntry] {
    let limit = min(max(limit, 0), Limits.searchResults)
    return try read { database throws(IndexError) in
      let likely = try database.rows(
        """
        SELECT entry.id, used, times FROM entry JOIN history ON history.id = entry.id
        WHERE flags & 4 AND expires > ?1 ORDER BY used DESC LIMIT ?2
        """,
        .real(now),
        Value(Self.suggestionCandidates)
      ) { row in
        let likelihood = UseHistory(bytes: row.bytes(2)).likelihood(now: now, utcOffset: utcOffset)
        return Place(row.int(0), used: row.double(1), relevance: likelihood / (1 + likelihood), of: ())
      }.sorted(by: Place.isBefore)
      let generation = try database.generation
      var found: [FoundEntry] = []
      for place in likely.prefix(limit) {
        if let entry = try database.found(place.id, generation, relevance: place.relevance) { found.append(entry) }
      }
      return found
    }
  }
}
