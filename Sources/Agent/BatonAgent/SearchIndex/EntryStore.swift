// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// Writes and removes rows of entries, inside of a transaction.
struct EntryStore {
  let database: Database
  let shards: Shards

  /// What is known of an entry that is there already.
  private struct Old {
    let id: Int
    let words: Int?
    let heat: Heat
    let flags: EntryFlags
  }

  /// What a change left behind.
  struct Result {
    var id: Int
    /// Whether text of an older entry was replaced.
    var hasReplaced: Bool
    /// Whether the entry is new or different.
    var hasChanged: Bool
  }

  /// Keeps an entry in the place of one with the same identifier.
  ///
  /// - Parameter isUse: Whether this counts as a use, whose time is kept.
  func put(_ entry: SavedEntry, in collection: Int, now: Double, isUse: Bool) throws(IndexError) -> Result {
    let old = try database.first(
      "SELECT id, words, heat, flags FROM entry WHERE collection = ? AND identifier = ?",
      Value(collection),
      .text(entry.identifier)
    ) { row in
      Old(
        id: row.int(0),
        words: row.optionalInt(1),
        heat: Heat(value: row.double(2)),
        flags: EntryFlags(rawValue: row.int(3))
      )
    }
    let flags = EntryFlags(entry)
    let text = flags.contains(.isSearchable) ? IndexedWords(entry).text : nil
    var (words, hasReplaced) = try replace(old?.words, with: text)
    var content = entry
    content.thumbnailData = nil
    if let old { try keepActivityID(of: old.id, in: &content) }
    let json = content.json.bytes
    let thumbnail = entry.thumbnailData.map { Array($0.utf8) }
    // Words are there three times: as text, in the full-text index, and as its prefixes.
    let size = json.count + (thumbnail?.count ?? 0) + 3 * (text?.utf8.count ?? 0) + Self.rowLength
    let heat = isUse ? old?.heat.adding(useAt: now) ?? Heat(usedAt: now) : hotter(old?.heat, Heat(usedAt: now))
    let values: [Value] = [
      Value(collection), .text(entry.identifier), Value(entry.domainIdentifier), Value(entry.relatedIdentifier),
      Value(entry.displayTitle), Value(entry.keywords.isEmpty ? nil : entry.keywords.joined(separator: "\n")),
      Value(flags.rawValue), .real(now), .real(entry.expirationDate ?? now + Limits.entryAge), .real(heat.value),
      Value(words), Value(size),
    ]
    let id: Int
    if let old {
      id = old.id
      let sql = """
        UPDATE entry SET (collection, identifier, domain, related, title, keywords, flags, used, expires, heat, words, size)
        = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?
        """
      try database.each(sql, values + [Value(id)]) { _ in true }
      try database.run(
        "UPDATE content SET json = ?1, thumbnail = ?2 WHERE id = ?3 AND (json IS NOT ?1 OR thumbnail IS NOT ?2)",
        .bytes(json),
        Value(thumbnail),
        Value(id)
      )
      hasReplaced = hasReplaced || database.changes > 0
    } else {
      let sql = """
        INSERT INTO entry (collection, identifier, domain, related, title, keywords, flags, used, expires, heat, words, size)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
      try database.each(sql, values) { _ in true }
      id = database.lastRow
      try database.run(
        "INSERT INTO content VALUES (?, ?, ?)",
        Value(id),
        .bytes(json),
        Value(thumbnail)
      )
    }
    if flags.contains(.isPredicted) {
      if isUse { try addUse(of: id, at: now) }
    } else if old?.flags.contains(.isPredicted) == true {
      try database.run("DELETE FROM history WHERE id = ?", Value(id))
    }
    return Result(id: id, hasReplaced: hasReplaced, hasChanged: old == nil || hasReplaced)
  }

  /// An app gives each activity another ID. If nothing else has changed, the entry is the same.
  private func keepActivityID(of id: Int, in entry: inout SavedEntry) throws(IndexError) {
    guard let activity = entry.activity else { return }
    let bytes = try database.first("SELECT json FROM content WHERE id = ?", Value(id)) { $0.bytes(0) }
    guard let bytes, let json = try? JSON(parsing: bytes, depth: Limits.varlinkDepth),
      let old = json.object?["activity"]?.object?["id"].flatMap(ActivityID.init(json:)), old != activity.id
    else { return }
    var candidate = entry
    candidate.activity?.id = old
    if candidate.json == json { entry = candidate }
  }

  /// The rows and their indexes take about this number of bytes.
  private static let rowLength = 512

  private func hotter(_ left: Heat?, _ right: Heat) -> Heat {
    left.map { $0.value > right.value ? $0 : right } ?? right
  }

  private func replace(_ row: Int?, with text: String?) throws(IndexError) -> (row: Int?, hasReplaced: Bool) {
    guard let row else {
      guard let text else { return (nil, false) }
      return (try shards.add(text), false)
    }
    guard let text else {
      try shards.remove([row])
      return (nil, true)
    }
    if try shards.words(at: row) == text { return (row, false) }
    let new = try shards.add(text)
    try shards.remove([row])
    return (new, true)
  }

  func addUse(of id: Int, at time: Double) throws(IndexError) {
    let old = try database.first("SELECT times FROM history WHERE id = ?", Value(id)) { $0.bytes(0) }
    var history = UseHistory(bytes: old ?? [])
    history.add(time)
    try database.run("INSERT OR REPLACE INTO history VALUES (?, ?)", Value(id), .bytes(history.bytes))
  }

  /// Removes entries, of which the rows of their words are known.
  func remove(_ entries: [(id: Int, words: Int?)]) throws(IndexError) {
    for entry in entries { try database.run("DELETE FROM entry WHERE id = ?", Value(entry.id)) }
    try shards.remove(entries.compactMap(\.words))
  }

  /// Returns the entries that a condition of SQL selects.
  func select(_ condition: String, _ values: Value...) throws(IndexError) -> [(id: Int, words: Int?)] {
    var entries: [(id: Int, words: Int?)] = []
    try database.each("SELECT id, words FROM entry WHERE \(condition)", values) { row in
      entries.append((row.int(0), row.optionalInt(1)))
      return true
    }
    return entries
  }
}

extension UseHistory {
  init(bytes: [UInt8]) {
    self.init(
      times: stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
        Double(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
      }
    )
  }

  var bytes: [UInt8] {
    times.flatMap { time in (0..<8).map { UInt8(truncatingIfNeeded: time.bitPattern >> (56 - 8 * UInt64($0))) } }
  }
}
