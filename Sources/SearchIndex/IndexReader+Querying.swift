import JSONCoding
import Search

extension IndexReader {
  /// Some of the items that a query found, and where to go on.
  package struct QueryPage: Equatable, Sendable {
    package var entries: [SavedEntry]
    /// For the next page. Nil if this is the last one.
    package var next: Int?
  }

  /// The number of items that are looked at for one page, which takes some milliseconds.
  private static let queryLength = 256

  /// Finds items of one app that meet a condition. Call it again with ``QueryPage/next`` until that is nil.
  ///
  /// - Parameters:
  ///   - index: The name of the app's index.
  ///   - cursor: 0 to begin.
  package func query(
    _ expression: SearchExpression,
    application: String,
    index: String? = nil,
    from cursor: Int = 0,
    clock: Moment.Clock
  ) throws(IndexError) -> QueryPage {
    try read { database throws(IndexError) in
      let collection = EntryCollection(application: application, name: index ?? "", isActivities: false)
      guard let id = try collection.find(in: database) else { return QueryPage(entries: [], next: nil) }
      let ids = try database.rows(
        "SELECT id FROM entry WHERE collection = ? AND id > ? ORDER BY id LIMIT ?",
        Value(id),
        Value(cursor),
        Value(Self.queryLength)
      ) { $0.int(0) }
      let generation = try database.generation
      var page = QueryPage(entries: [], next: ids.count == Self.queryLength ? ids.last : nil)
      for id in ids {
        guard let entry = try database.storedEntry(id, generation)?.entry, entry.expirationDate ?? .infinity > clock.now
        else { continue }
        if expression.matches(entry, clock) { page.entries.append(entry) }
      }
      return page
    }
  }
}
