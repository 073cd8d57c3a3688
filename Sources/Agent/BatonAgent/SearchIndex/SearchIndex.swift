// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc
import JSONCoding
import Search

/// The index of one user: the connection that changes it. Use it on one thread. ``IndexReader`` finds entries at the
/// same time on another thread.
///
/// If the database turns out to be damaged, it is moved aside, and what failed is done once again on an empty index. If
/// its files were removed or replaced, it is opened again.
package final class SearchIndex {
  private(set) var files: IndexFiles
  let limits: IndexLimits
  private let makeGeneration: () -> String
  private var connection: Database?
  /// The file that the connection has open.
  private var file: FileNumber?
  private var isClosed = false
  /// Which parts ``checkNext()`` has not checked.
  var unchecked = UncheckedParts.all
  /// The random name of this index. A new index has a new one.
  package private(set) var generation = ""
  /// Why the index that was there before was moved aside, until ``forgetDamage()``.
  package private(set) var damage: String?

  /// Opens or creates the index. Deletions that were not complete are completed.
  ///
  /// - Parameters:
  ///   - directory: Created if it does not exist; its parent must.
  ///   - makeGeneration: Returns a random name for a new index.
  package init(
    directory: String,
    limits: IndexLimits = IndexLimits(),
    makeGeneration: @escaping () -> String
  ) throws(IndexError) {
    files = try IndexFiles(directory: directory)
    self.limits = limits
    self.makeGeneration = makeGeneration
    do throws(IndexError) {
      try connect()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Closes the index. Text of replaced entries is overwritten first.
  package func close() {
    guard !isClosed else { return }
    if let connection {
      if (try? hasReplacedText) == true { try? finishErasing() }
      // A reader may keep SQLite from removing the log.
      _ = try? connection.int("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    disconnect()
    isClosed = true
    files.unlock()
  }

  /// Where a damaged index is that was moved aside, now or earlier. Nil if there is none.
  package var damagedPath: String? { files.hasDamaged ? files.damagedPath : nil }

  package func forgetDamage() { damage = nil }

  var database: Database {
    get throws(IndexError) {
      guard let connection else { throw .missing }
      return connection
    }
  }

  var shards: Shards { get throws(IndexError) { Shards(database: try database, limits: limits) } }

  /// Moves the index aside, and starts with an empty one.
  package func recover(because reason: String) throws(IndexError) {
    disconnect()
    try files.moveAside()
    damage = reason
    try open()
  }

  private func disconnect() {
    connection?.close()
    connection = nil
  }

  /// Opens the index again if it could not be opened before, or if there are other files in its place, or none.
  private func reconnect() throws(IndexError) {
    guard !isClosed else { throw .failed("the index is closed") }
    if connection != nil, file == FileNumber(of: files.path) { return }
    disconnect()
    files.unlock()
    files = try IndexFiles(directory: files.directory)
    try connect()
  }

  /// Does what must be done so that what a reader could not do can be done again.
  ///
  /// - Parameter file: The file that the reader had open. It may have been moved aside in the meantime.
  package func repair(_ error: IndexError, in file: FileNumber?) throws(IndexError) {
    try reconnect()
    switch error {
    case .damaged(let reason) where file == self.file: try recover(because: reason)
    case .missing:
      try recovering { () throws(IndexError) in
        if try database.int("PRAGMA user_version") ?? 0 == 0 { throw .damaged("it is empty") }
      }
    default: break
    }
  }

  /// Runs all of `body`, or nothing of it.
  func change<T>(_ body: (Database) throws(IndexError) -> T) throws(IndexError) -> T {
    try recovering { () throws(IndexError) in
      let database = try self.database
      return try database.transaction { () throws(IndexError) in try body(database) }
    }
  }

  /// Repeats `body` on an empty index if the database is damaged.
  func recovering<T>(_ body: () throws(IndexError) -> T) throws(IndexError) -> T {
    try reconnect()
    do throws(IndexError) {
      return try body()
    } catch {
      guard case .damaged(let reason) = error else { throw error }
      try recover(because: reason)
      return try body()
    }
  }

  private func connect() throws(IndexError) {
    do throws(IndexError) {
      try open()
    } catch {
      guard case .damaged(let reason) = error else { throw error }
      try recover(because: reason)
    }
  }

  private func open() throws(IndexError) {
    let wasClosed = files.wasClosed
    try files.prepare()
    let database = try Database(path: files.path)
    connection = database
    do throws(IndexError) {
      try database.run("PRAGMA secure_delete=ON")
      try database.run("PRAGMA journal_mode=WAL")
      try database.run("PRAGMA synchronous=FULL")
      try database.transaction { () throws(IndexError) in
        if try isEmpty(database) {
          try Schema.create(in: database, generation: makeGeneration())
          unchecked = .none
        } else {
          unchecked = .all
          if !wasClosed { try checkTables(database) }
          try Schema.migrate(database)
        }
      }
      guard let name = try database.first("SELECT value FROM state WHERE name = 'generation'", read: { $0.text(0) })
      else { throw .damaged("it has no name") }
      generation = name
      if try hasReplacedText { try finishErasing() }
      file = FileNumber(of: files.path)
    } catch {
      disconnect()
      throw error
    }
  }

  /// Whether the database has no tables yet. It may have a page, if the machine stopped when it was made.
  private func isEmpty(_ database: Database) throws(IndexError) -> Bool {
    guard try database.int("PRAGMA page_count") ?? 0 <= 1 else { return false }
    return try database.int("SELECT count(*) FROM sqlite_schema") == 0
  }
}
