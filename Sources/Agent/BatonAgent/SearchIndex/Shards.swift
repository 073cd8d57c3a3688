// SPDX-License-Identifier: Apache-2.0

/// The full-text index, which consists of several tables of FTS5. FTS5 keeps deleted words until it writes a table
/// again, so small tables are faster to erase. New words go to the newest table, and a search begins there.
struct Shards {
  let database: Database
  let limits: IndexLimits

  /// The row of an entry's words has the number of the table and a number in it.
  private static let numberBits = 24
  private static let maximumNumber = Int.max >> numberBits

  static func number(of row: Int) -> Int { row >> numberBits }

  static func table(_ number: Int) -> String { "words\(number)" }

  /// Returns the numbers of the tables, the newest first.
  static func numbers(_ database: Database) throws(IndexError) -> [Int] {
    try database.rows("SELECT number FROM shard ORDER BY number DESC") { $0.int(0) }
  }

  func words(at row: Int) throws(IndexError) -> String? {
    try database.first("SELECT words FROM \(Self.table(Self.number(of: row))) WHERE rowid = ?", Value(row)) {
      $0.text(0)
    }
  }

  /// Adds the words of one entry, and returns their row.
  func add(_ words: String) throws(IndexError) -> Int {
    let (number, next) = try newest()
    let row = number << Self.numberBits | next
    try database.run("INSERT INTO \(Self.table(number)) (rowid, words) VALUES (?, ?)", Value(row), .text(words))
    try database.run(
      "UPDATE shard SET next = next + 1, entries = entries + 1, size = size + ? WHERE number = ?",
      Value(words.utf8.count),
      Value(number)
    )
    return row
  }

  /// Removes the words of entries. Tables without words go; others have to be erased.
  func remove(_ rows: [Int]) throws(IndexError) {
    for (number, rows) in Dictionary(grouping: rows, by: Self.number).sorted(by: { $0.key < $1.key }) {
      let entries = try database.int("SELECT entries FROM shard WHERE number = ?", Value(number)) ?? 0
      if rows.count >= entries {
        try drop(number)
        continue
      }
      var size = 0
      for row in rows {
        size +=
          try database.int("SELECT length(CAST(words AS BLOB)) FROM \(Self.table(number)) WHERE rowid = ?", Value(row))
          ?? 0
        try database.run("DELETE FROM \(Self.table(number)) WHERE rowid = ?", Value(row))
      }
      try database.run(
        "UPDATE shard SET entries = entries - ?, size = size - ?, isStale = 1 WHERE number = ?",
        Value(rows.count),
        Value(size),
        Value(number)
      )
    }
  }

  /// The numbers of tables that contain deleted words.
  var stale: [Int] {
    get throws(IndexError) { try database.rows("SELECT number FROM shard WHERE isStale") { $0.int(0) } }
  }

  /// Writes a table again, without what was deleted from it.
  func erase(_ number: Int) throws(IndexError) {
    let table = Self.table(number)
    try database.run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
    try database.run("UPDATE shard SET isStale = 0 WHERE number = ?", Value(number))
  }

  /// Checks that the words are those of all entries.
  func check(_ number: Int) throws(IndexError) {
    let table = Self.table(number)
    try database.run("INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
    let rows = number << Self.numberBits
    let isComplete = try database.int(
      """
      SELECT count(*) = (SELECT entries FROM shard WHERE number = ?1)
        AND count(*) = (SELECT count(*) FROM entry WHERE words >= ?2 AND words < ?3)
      FROM \(table)
      """,
      Value(number),
      Value(rows),
      Value(rows &+ 1 << Self.numberBits)
    )
    if isComplete != 1 { throw .damaged("words are missing") }
  }

  /// Moves the words of tables with few entries to the newest one.
  func merge() throws(IndexError) {
    let small = try database.rows(
      """
      SELECT number FROM shard WHERE number < (SELECT max(number) FROM shard) AND entries * 4 < ? AND size * 4 < ?
      ORDER BY number
      """,
      Value(limits.entriesPerShard),
      Value(limits.shardLength)
    ) { $0.int(0) }
    for number in small {
      let rows = try database.rows("SELECT rowid, words FROM \(Self.table(number)) ORDER BY rowid") { row in
        (row.int(0), row.text(1))
      }
      for (row, words) in rows {
        try database.run("UPDATE entry SET words = ? WHERE words = ?", Value(try add(words)), Value(row))
      }
      try drop(number)
    }
  }

  private func drop(_ number: Int) throws(IndexError) {
    database.forgetStatements(containing: Self.table(number))
    try database.run("DROP TABLE \(Self.table(number))")
    try database.run("DELETE FROM shard WHERE number = ?", Value(number))
  }

  /// The table for new words, and the next number in it.
  private func newest() throws(IndexError) -> (number: Int, next: Int) {
    let newest = try database.first("SELECT number, next, entries, size FROM shard ORDER BY number DESC LIMIT 1") {
      row in
      (number: row.int(0), next: row.int(1), entries: row.int(2), size: row.int(3))
    }
    if let newest, newest.entries < limits.entriesPerShard, newest.next < 2 * limits.entriesPerShard,
      newest.size < limits.shardLength
    {
      return (newest.number, newest.next)
    }
    // A full table is found in faster if all of its words are in one place.
    if let newest { try erase(newest.number) }
    // Numbers are not used again, so that a search on another connection never takes one table for another.
    let last = try database.int("SELECT value FROM state WHERE name = 'shards'") ?? 0
    guard last >= 0, last < Self.maximumNumber else { throw .damaged("there's no table \(last)") }
    let number = last + 1
    try database.run("INSERT OR REPLACE INTO state VALUES ('shards', ?)", Value(number))
    try database.run(
      """
      CREATE VIRTUAL TABLE \(Self.table(number)) USING fts5
        (words, detail=none, columnsize=0, prefix='1 2 3 4 5 6', tokenize="ascii tokenchars '#@'")
      """
    )
    try database.run("INSERT INTO shard VALUES (?, 0, 0, 0, 0)", Value(number))
    return (number, 0)
  }
}
