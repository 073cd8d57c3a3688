// SPDX-License-Identifier: Apache-2.0

/// Nothing of what was deleted stays in the files. The table of the full-text index is written again, the log is
/// emptied, and SQLite and ``ErasingFiles`` overwrite the rest.
extension SearchIndex {
  /// Whether there is text of replaced entries that has not been overwritten.
  package var hasReplacedText: Bool {
    get throws(IndexError) {
      if try isErasing { return true }
      return try database.int("SELECT value FROM state WHERE name = 'replaced'") == 1
    }
  }

  /// Overwrites the text of entries that were replaced, expired or made room.
  package func eraseReplaced() throws(IndexError) {
    try recovering { () throws(IndexError) in if try hasReplacedText { try finishErasing() } }
  }

  /// Whether a deletion is not complete.
  var isErasing: Bool {
    get throws(IndexError) { try database.int("SELECT value FROM state WHERE name = 'erasing'") == 1 }
  }

  /// Marks that text has to be erased. Use it in the transaction that deletes it.
  func markErasing(_ database: Database) throws(IndexError) {
    try database.run("INSERT OR REPLACE INTO state VALUES ('erasing', 1)")
  }

  func markReplaced(_ database: Database) throws(IndexError) {
    try database.run("INSERT OR REPLACE INTO state VALUES ('replaced', 1)")
  }

  /// Erases what was deleted. If the machine stops before the end, the next start does it again.
  func finishErasing() throws(IndexError) {
    let shards = try self.shards
    let database = shards.database
    for number in try shards.stale {
      try database.transaction { () throws(IndexError) in try shards.erase(number) }
    }
    try database.transaction { () throws(IndexError) in try shards.merge() }
    try emptyLog(database)
    try shrink(database)
    try database.run("DELETE FROM state WHERE name IN ('erasing', 'replaced')")
  }

  /// Writes the log to the database and empties it. Pages in memory are forgotten, because their unused parts contain
  /// what SQLite has not overwritten there.
  private func emptyLog(_ database: Database) throws(IndexError) {
    let isBusy = try database.int("PRAGMA wal_checkpoint(TRUNCATE)") != 0
    if isBusy { throw .inUse }
    try database.run("PRAGMA shrink_memory")
  }

  /// Gives room back if more than half of a file of some size is unused.
  private func shrink(_ database: Database) throws(IndexError) {
    let pages = try database.int("PRAGMA page_count") ?? 0
    let unused = try database.int("PRAGMA freelist_count") ?? 0
    guard pages > Self.pagesToKeep, unused > pages / 2 else { return }
    do throws(IndexError) { try database.run("VACUUM") } catch .full { return }
    try emptyLog(database)
  }

  /// 4 MB.
  private static let pagesToKeep = 1024
}
