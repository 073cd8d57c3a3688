// SPDX-License-Identifier: Apache-2.0

import Activity
import Search

extension SearchIndex {
  /// Keeps entries of an app, each in the place of the one with the same identifier. All are kept, or none.
  ///
  /// - Parameters:
  ///   - index: The name of the app's index, for items.
  ///   - replaces: Identifiers of activities that the entries replace, too.
  ///   - keepsUses: Whether the times at which activities are used are kept.
  package func put(
    _ entries: [SavedEntry],
    application: String,
    index: String? = nil,
    replaces: [String] = [],
    now: Double,
    keepsUses: Bool = true
  ) throws(IndexError) {
    try Self.check(application: application, index: index)
    let entries = try Self.validated(entries)
    try change { database throws(IndexError) in
      let store = EntryStore(database: database, shards: try shards)
      var hasReplaced = false
      for isActivities in [false, true] {
        let entries = entries.filter { ($0.activity != nil) == isActivities }
        guard !entries.isEmpty else { continue }
        let collection = EntryCollection(
          application: application,
          name: isActivities ? "" : index ?? "",
          isActivities: isActivities
        )
        let id = try collection.findOrMake(in: database)
        for entry in entries {
          if let date = entry.expirationDate, date <= now {
            let old = try store.select("collection = ? AND identifier = ?", Value(id), .text(entry.identifier))
            hasReplaced = hasReplaced || !old.isEmpty
            try store.remove(old)
          } else {
            let result = try store.put(entry, in: id, now: now, isUse: isActivities && keepsUses)
            hasReplaced = hasReplaced || result.hasReplaced
            if isActivities {
              try log.note(entry, id: result.id, application: application, hasChanged: result.hasChanged)
            }
          }
        }
      }
      if let id = try EntryCollection(application: application, isActivities: true).find(in: database) {
        let kept = Set(entries.lazy.filter { $0.activity != nil }.map { Array($0.identifier.utf8) })
        for identifier in replaces where !kept.contains(Array(identifier.utf8)) {
          let old = try store.select("collection = ? AND identifier = ?", Value(id), .text(identifier))
          hasReplaced = hasReplaced || !old.isEmpty
          try store.remove(old)
        }
      }
      if try makeRoom(store, for: application) { hasReplaced = true }
      try log.prune(now: now)
      if hasReplaced { try markReplaced(database) }
    }
  }

  /// Counts a use of an entry, which was opened.
  package func recordUse(_ reference: EntryReference, now: Double, keepsUses: Bool = true) throws(IndexError) {
    try change { database throws(IndexError) in
      guard reference.generation == generation else { return }
      let old = try database.first("SELECT heat, flags FROM entry WHERE id = ?", Value(reference.id)) { row in
        (heat: Heat(value: row.double(0)), flags: EntryFlags(rawValue: row.int(1)))
      }
      guard let old else { return }
      let heat = keepsUses ? old.heat.adding(useAt: now) : Heat(value: max(old.heat.value, Heat(usedAt: now).value))
      try database.run(
        "UPDATE entry SET used = max(used, ?1), heat = ?2, expires = CASE WHEN flags & 8 THEN expires ELSE ?3 END WHERE id = ?4",
        .real(now),
        .real(heat.value),
        .real(now + Limits.entryAge),
        Value(reference.id)
      )
      if keepsUses, old.flags.contains(.isPredicted) {
        try EntryStore(database: database, shards: try shards).addUse(of: reference.id, at: now)
      }
    }
  }

  /// Deletes all times of use, except when each entry was last used. The call returns when they are overwritten.
  package func wipeUses() throws(IndexError) {
    try change { database throws(IndexError) in
      try database.run("DELETE FROM history")
      try database.run("UPDATE entry SET heat = used / ? WHERE heat <> used / ?1", .real(Limits.useHalfLife))
      try markErasing(database)
    }
    try recovering { () throws(IndexError) in try finishErasing() }
  }

  /// Deletes what has expired. Its text is overwritten by ``eraseReplaced()``. In a damaged index that was moved aside,
  /// everything expires.
  ///
  /// - Returns: The number of entries.
  @discardableResult
  package func expire(now: Double) throws(IndexError) -> Int {
    try files.removeDamaged(movedBefore: now - Limits.entryAge)
    return try change { database throws(IndexError) in
      let store = EntryStore(database: database, shards: try shards)
      try askAgainForExpired(database, now: now)
      let expired = try store.select("expires <= ?", .real(now))
      if !expired.isEmpty {
        try store.remove(expired)
        try markReplaced(database)
      }
      try log.prune(now: now)
      return expired.count
    }
  }

  /// This machine may have been off for so long that others have had no chance to say that they still have an entry.
  /// They are asked for everything again.
  private func askAgainForExpired(_ database: Database, now: Double) throws(IndexError) {
    try database.run(
      """
      UPDATE position SET generation = '', after = 0, resetLast = NULL WHERE (device, team) IN (
        SELECT device, team FROM collection JOIN entry ON entry.collection = collection.id
        WHERE device <> '' AND NOT flags & 8 AND expires <= ?)
      """,
      .real(now)
    )
  }

  /// When the next entry expires, in seconds since 1970. Nil if the index is empty.
  package var nextExpiry: Double? {
    get throws(IndexError) {
      try recovering { () throws(IndexError) in
        try database.first("SELECT min(expires) FROM entry") { $0.optionalDouble(0) } ?? nil
      }
    }
  }

  static func check(application: String, index: String? = nil) throws(IndexError) {
    do throws(EntryLimit) {
      try EntryLimit.check("application", application, Limits.applicationNameLength, isRequired: true)
      try EntryLimit.check("index", index, Limits.entryIdentifierLength)
    } catch {
      throw .limit(error)
    }
  }

  private static func validated(_ entries: [SavedEntry]) throws(IndexError) -> [SavedEntry] {
    do throws(EntryLimit) {
      return try entries.map { entry throws(EntryLimit) in try entry.repaired().validated() }
    } catch {
      throw .limit(error)
    }
  }

  /// Removes the oldest entries of the app if it has too many, and of the app with the most if all apps together do.
  func makeRoom(_ store: EntryStore, for application: String = "") throws(IndexError) -> Bool {
    var hasRemoved = false
    let database = store.database
    let own = "SELECT id FROM collection WHERE device = '' AND application = ?"
    let count = try database.int("SELECT sum(entries) FROM collection WHERE id IN (\(own))", .text(application)) ?? 0
    if count > limits.entriesPerApplication {
      let oldest = "id IN (SELECT id FROM entry WHERE collection IN (\(own)) ORDER BY used, id LIMIT ?)"
      try store.remove(try store.select(oldest, .text(application), Value(count - limits.entriesPerApplication)))
      hasRemoved = true
    }
    while true {
      let total = try database.first("SELECT sum(entries), sum(size) FROM collection") {
        (count: $0.int(0), size: $0.int(1))
      }
      guard let total, total.count > limits.entries || total.size > limits.length else { break }
      let largest = try database.int(
        "SELECT id FROM collection ORDER BY \(total.count > limits.entries ? "entries" : "size") DESC LIMIT 1"
      )
      let surplus = total.count > limits.entries ? total.count - limits.entries : 1
      let oldest = try store.select(
        "id IN (SELECT id FROM entry WHERE collection = ? ORDER BY used, id LIMIT ?)",
        Value(largest),
        Value(surplus)
      )
      guard !oldest.isEmpty else { break }
      try store.remove(oldest)
      hasRemoved = true
    }
    let applications = try database.int("SELECT count(DISTINCT application) FROM collection WHERE device = ''") ?? 0
    if applications > limits.applications {
      throw .limit(EntryLimit(parameter: "application", limit: limits.applications))
    }
    return hasRemoved
  }
}
