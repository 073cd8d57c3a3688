// SPDX-License-Identifier: Apache-2.0

import Search

/// Some of the items of an app, and where the next ones are.
package struct ItemPage: Equatable, Sendable {
  package let entries: [SavedEntry]
  /// Nil if these are the last.
  package let next: ItemCursor?
}

/// The last item that was read.
package struct ItemCursor: Equatable, Sendable {
  fileprivate let collection: Int
  fileprivate let identifier: String
}

extension IndexReader {
  /// The size of the entries that a query reads at a time, in bytes, as the index counts it. Each waiting query has as
  /// much in memory, and others wait while it is read.
  package static let itemPageLength = 256 * 1024

  /// Returns items of an app of this machine. The index can change between one page and the next: an item that is there
  /// all the time is read once, even if it is replaced.
  ///
  /// - Parameters:
  ///   - index: The name of the app's index. Nil for all.
  ///   - cursor: The end of the page before. Nil for the beginning.
  ///   - limit: The maximum number of items. There are fewer if these are large.
  ///   - now: In seconds since 1970.
  package func items(
    of application: String,
    index: String?,
    after cursor: ItemCursor? = nil,
    limit: Int,
    now: Double
  ) throws(IndexError) -> ItemPage {
    try read { database throws(IndexError) in
      let collections = try database.rows(
        """
        SELECT id FROM collection WHERE device = '' AND application = ?1 AND NOT isActivities
          AND (?2 IS NULL OR name = ?2) AND id >= ?3 ORDER BY id
        """,
        .text(application),
        Value(index),
        Value(cursor?.collection ?? 0)
      ) { $0.int(0) }
      let generation = try database.generation
      var entries: [SavedEntry] = []
      var (room, length) = (limit, Self.itemPageLength)
      for collection in collections {
        let last = cursor.flatMap { $0.collection == collection ? $0.identifier : nil } ?? ""
        let rows = try database.rows(
          """
          SELECT id, identifier, size FROM entry WHERE collection = ? AND identifier > ? AND expires > ?
          ORDER BY identifier LIMIT ?
          """,
          Value(collection),
          .text(last),
          .real(now),
          Value(room)
        ) { (id: $0.int(0), identifier: $0.text(1), size: $0.int(2)) }
        for row in rows {
          if let stored = try database.storedEntry(row.id, generation) { entries.append(stored.entry) }
          room -= 1
          length -= max(row.size, 0)
          if room <= 0 || length <= 0 {
            return ItemPage(entries: entries, next: ItemCursor(collection: collection, identifier: row.identifier))
          }
        }
      }
      return ItemPage(entries: entries, next: nil)
    }
  }
}
