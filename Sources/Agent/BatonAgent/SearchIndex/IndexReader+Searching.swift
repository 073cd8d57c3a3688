// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

extension IndexReader {
  /// Finds entries that contain all words, the most relevant first.
  ///
  /// - Parameter now: In seconds since 1970.
  package func search(_ words: SearchWords, limit: Int, now: Double) throws(IndexError) -> [FoundEntry] {
    let limit = min(max(limit, 0), Limits.searchResults)
    return try read { database throws(IndexError) in
      let candidates = try candidates(for: words, limit: limit, now: now, in: database)
      let ranked = candidates.map { row in
        Place(row.id, used: row.used, relevance: Ranking.relevance(of: row.candidate, to: words, now: now), of: row)
      }.sorted(by: Place.isBefore)
      let generation = try database.generation
      var seen: Set<Int> = []
      var origins: Set<String> = []
      var found: [FoundEntry] = []
      for place in ranked {
        if found.count == limit { break }
        let shown = try place.value.related.flatMap { related throws(IndexError) in
          try item(related, shownBy: place.value, now: now, in: database)
        }
        let id = shown ?? place.id
        guard seen.insert(id).inserted else { continue }
        guard let entry = try database.found(id, generation, relevance: place.relevance, words) else { continue }
        // A machine may share it with several teams.
        if let origin = entry.origin, !origins.insert(origin).inserted { continue }
        found.append(entry)
      }
      return found
    }
  }

  /// The numbers of entries among which the best are looked for: the newest that contain the words, the newest that
  /// contain them in the title or in the title and the keywords, and the most used.
  private static let candidates = 128
  private static let namedCandidates = 64
  private static let usedCandidates = 64

  private struct CandidateRow {
    let id: Int
    let collection: Int
    let used: Double
    let related: String?
    let candidate: Candidate

    init(_ row: Row) {
      id = row.int(0)
      collection = row.int(1)
      used = row.double(2)
      related = row.optionalText(3)
      candidate = Candidate(title: row.text(4), keywords: row.text(5), heat: Heat(value: row.double(6)))
    }

    static let columns = "id, collection, used, related, title, keywords, heat"
  }

  private func candidates(
    for words: SearchWords,
    limit: Int,
    now: Double,
    in database: Database
  ) throws(IndexError) -> [CandidateRow] {
    let numbers = try Shards.numbers(database)
    var found: [Int: CandidateRow] = [:]
    var seen: Set<Int> = []
    func find(_ part: MatchedPart, _ count: Int) throws(IndexError) -> Int {
      let rows = try self.rows(words.expression(part), numbers, count, in: database)
      for row in rows where seen.insert(row).inserted {
        let sql = "SELECT \(CandidateRow.columns) FROM entry WHERE words = ? AND expires > ?"
        if let candidate = try database.first(sql, Value(row), .real(now), read: CandidateRow.init) {
          found[candidate.id] = candidate
        }
      }
      return rows.count
    }
    // If there are not many, these are all. If there are enough with all words in the title, others come after them.
    let count = max(Self.candidates, limit)
    guard try find(.any, count) == count else { return Array(found.values) }
    let used = """
      SELECT \(CandidateRow.columns) FROM entry WHERE words IS NOT NULL AND expires > ? ORDER BY heat DESC LIMIT ?
      """
    let mostUsed = try database.rows(used, .real(now), Value(Self.usedCandidates), read: CandidateRow.init)
    for row in mostUsed where found[row.id] == nil {
      if words.matches("\(row.candidate.title)\n\(row.candidate.keywords)") { found[row.id] = row }
    }
    let named = max(Self.namedCandidates, limit)
    if try find(.title, named) < limit { _ = try find(.names, named) }
    return Array(found.values)
  }

  /// The newest rows that match.
  private func rows(
    _ expression: String,
    _ numbers: [Int],
    _ count: Int,
    in database: Database
  ) throws(IndexError) -> [Int] {
    var rows: [Int] = []
    for number in numbers {
      let table = Shards.table(number)
      rows += try database.rows(
        "SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid DESC LIMIT ?",
        .text(expression),
        Value(count - rows.count)
      ) { $0.int(0) }
      if rows.count >= count { break }
    }
    return rows
  }

  /// The item that an activity shows, unless that has no title: then the activity tells what it is.
  private func item(
    _ identifier: String,
    shownBy row: CandidateRow,
    now: Double,
    in database: Database
  ) throws(IndexError) -> Int? {
    try database.int(
      """
      SELECT entry.id FROM collection activities
      JOIN collection items ON NOT items.isActivities AND items.application = activities.application
        AND items.device = activities.device AND items.team = activities.team
      JOIN entry ON entry.collection = items.id AND entry.identifier = ?
      WHERE activities.id = ? AND activities.isActivities AND entry.expires > ? AND entry.title IS NOT NULL LIMIT 1
      """,
      .text(identifier),
      Value(row.collection),
      .real(now)
    )
  }
}
