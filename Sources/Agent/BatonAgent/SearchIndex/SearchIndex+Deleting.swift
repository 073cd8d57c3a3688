// SPDX-License-Identifier: Apache-2.0

import Search

/// Which entries of an app to delete.
package enum Selection: Equatable, Sendable {
  /// Items with these identifiers, and the activities that show them.
  case items([String])
  /// Items and activities of these domains and of those below them, and the activities that show these items.
  case domains([String])
  /// Activities with these identifiers.
  case activities([String])
  case allItems
  case allActivities
}

/// Which entries a person wants to be deleted: those that match all members.
package struct ForgottenEntries: Equatable, Sendable {
  package var entry: EntryReference?
  package var application: String?
  /// When they were last used here, in seconds since 1970. Those that were not are not meant.
  package var since: Double?
  package var until: Double?
  /// Whether nothing at all is to be left.
  package var all = false

  package init() {}
}

/// Each method returns when nothing of what it deleted can be found in the files.
extension SearchIndex {
  /// Deletes entries of an app, with the activities that show deleted items. In the default index, these items need not
  /// exist.
  ///
  /// - Returns: How many.
  @discardableResult
  package func delete(_ selection: Selection, application: String, index: String? = nil) throws(IndexError) -> Int {
    try Self.check(application: application, index: index)
    return try erasing { store throws(IndexError) in
      let activities = try EntryCollection(application: application, isActivities: true).find(in: store.database)
      let items = try EntryCollection(application: application, name: index ?? "", isActivities: false).find(
        in: store.database
      )
      // Activities are in no index with a name.
      let isDefault = index ?? "" == ""
      var deleted: [(id: Int, words: Int?)] = []
      switch selection {
      case .allActivities: deleted = try store.select("collection = ?", Value(activities))
      case .activities(let identifiers):
        for identifier in identifiers {
          deleted += try store.select("collection = ? AND identifier = ?", Value(activities), .text(identifier))
        }
      case .allItems:
        deleted = try itemsAndActivities(store, items, activities, "true")
        if isDefault { deleted += try store.select("collection = ? AND \(Self.isRelated)", Value(activities)) }
      case .items(let identifiers):
        for identifier in identifiers.map(Value.text) {
          deleted += try itemsAndActivities(store, items, activities, "identifier = ?2", identifier)
          guard isDefault else { continue }
          deleted += try store.select(
            "collection = ? AND related = ? AND \(Self.isRelated)",
            Value(activities),
            identifier
          )
        }
      case .domains(let domains):
        for domain in domains.map(Value.text) {
          let isBelow = "(domain = ?2 OR domain > ?2 || '.' AND domain < ?2 || '/')"
          deleted += try itemsAndActivities(store, items, activities, isBelow, domain)
          if isDefault { deleted += try store.select("collection = ?1 AND \(isBelow)", Value(activities), domain) }
        }
      }
      var seen: Set<Int> = []
      return deleted.filter { seen.insert($0.id).inserted }
    }
  }

  /// Deletes what a person wants to be forgotten.
  ///
  /// - Returns: How many entries.
  @discardableResult
  package func forget(_ forgotten: ForgottenEntries) throws(IndexError) -> Int {
    if let entry = forgotten.entry, entry.generation != generation { return 0 }
    guard forgotten != ForgottenEntries() else { return 0 }
    // Nobody knows what is in it.
    try files.removeDamaged()
    return try erasing { store throws(IndexError) in
      let deleted = try store.select(
        """
        (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR used >= ?2) AND (?3 IS NULL OR used <= ?3 AND used > 0)
        AND (?4 IS NULL OR collection IN (SELECT id FROM collection WHERE application = ?4))
        """,
        Value(forgotten.entry?.id),
        Value(forgotten.since),
        Value(forgotten.until),
        Value(forgotten.application)
      )
      for (id, _) in deleted { try forgetForeign(id) }
      return deleted + (try related(to: deleted, store))
    } finally: { database throws(IndexError) in
      guard forgotten.all || forgotten.application != nil else { return false }
      return try KnownIndexes(database: database, generation: generation).forgetEmpty(of: forgotten.application)
    }
  }

  /// Tells the machine that an entry comes from, and all others, that it was deleted.
  private func forgetForeign(_ id: Int) throws(IndexError) {
    let foreign = try database.first(
      """
      SELECT foreignEntry.device, foreignEntry.team, remote, number, generation FROM foreignEntry
      JOIN position ON position.device = foreignEntry.device AND position.team = foreignEntry.team WHERE id = ?
      """,
      Value(id)
    ) { row in
      (
        peer: SharingPeer(device: row.text(0), team: row.text(1)), remote: row.int(2), number: row.int(3),
        name: row.text(4)
      )
    }
    guard let foreign else { return }
    try log.forget(foreign.peer, generation: foreign.name, remote: foreign.remote, number: foreign.number)
  }

  /// The activities that show one of these items, except those that are among them.
  private func related(
    to deleted: [(id: Int, words: Int?)],
    _ store: EntryStore
  ) throws(IndexError) -> [(id: Int, words: Int?)] {
    var result: [(id: Int, words: Int?)] = []
    var seen = Set(deleted.lazy.map(\.id))
    for (id, _) in deleted {
      let related = try store.select(
        """
        id IN (
          SELECT activity.id FROM entry item
          JOIN collection items ON items.id = item.collection AND NOT items.isActivities
          JOIN collection activities ON activities.isActivities AND activities.application = items.application
            AND activities.device = items.device AND activities.team = items.team
          JOIN entry activity ON activity.related = item.identifier AND activity.collection = activities.id
            AND NOT activity.flags & 16
          WHERE item.id = ?)
        """,
        Value(id)
      )
      result += related.filter { seen.insert($0.id).inserted }
    }
    return result
  }

  /// Whether an activity is deleted with its item: see ``EntryFlags``.
  private static let isRelated = "related IS NOT NULL AND NOT flags & 16"

  /// The items that meet the condition, and the activities that are deleted with them.
  private func itemsAndActivities(
    _ store: EntryStore,
    _ items: Int?,
    _ activities: Int?,
    _ condition: String,
    _ value: Value = .null
  ) throws(IndexError) -> [(id: Int, words: Int?)] {
    let chosen = "collection = ?1 AND ?2 IS ?2 AND \(condition)"
    let deleted = try store.select(chosen, Value(items), value)
    return deleted
      + (try store.select(
        "collection = ?3 AND \(Self.isRelated) AND related IN (SELECT identifier FROM entry WHERE \(chosen))",
        Value(items),
        value,
        Value(activities)
      ))
  }

  /// Removes what `select` returns, and erases it.
  ///
  /// - Parameter finally: Deletes something else afterwards. Returns whether it did.
  private func erasing(
    _ select: (EntryStore) throws(IndexError) -> [(id: Int, words: Int?)],
    finally: (Database) throws(IndexError) -> Bool = { _ in false }
  ) throws(IndexError) -> Int {
    let count = try change { database throws(IndexError) in
      let store = EntryStore(database: database, shards: try shards)
      let deleted = try select(store)
      try store.remove(deleted)
      let hasDeleted = try finally(database)
      if !deleted.isEmpty || hasDeleted { try markErasing(database) }
      return deleted.count
    }
    // Also if there was nothing to delete: it may have expired a moment ago, or it was deleted and could not be erased.
    try eraseReplaced()
    return count
  }
}
