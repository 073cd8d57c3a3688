import Activity
import Glibc
import JSONCoding
import Search

/// The index of one user: the connection that changes it. Use it on one thread. ``IndexReader`` finds entries at the
/// same time on another thread.
///
/// If the database turns out to be damaged, it is moved aside, and what failed is done once again on an empty index.
package final class SearchIndex {
  let files: IndexFiles
  let limits: IndexLimits
  private let makeGeneration: () -> String
  private var connection: Database?
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
      connection?.close()
      files.unlock()
      throw error
    }
  }

  deinit { close() }

  package func close() {
    guard let connection else { return }
    // A reader may keep SQLite from removing the log.
    _ = try? connection.int("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    self.connection = nil
    files.unlock()
  }

  /// Where a damaged index is that was moved aside, now or earlier. Nil if there is none.
  package var damagedPath: String? { files.hasDamaged ? files.damagedPath : nil }

  package func forgetDamage() { damage = nil }

  var database: Database {
    get throws(IndexError) {
      guard let connection else { throw .failed("the index is closed") }
      return connection
    }
  }

  var shards: Shards { get throws(IndexError) { Shards(database: try database, limits: limits) } }

  /// Moves the index aside, and starts with an empty one.
  ///
  /// - Parameter file: The damaged file, as ``IndexReader/file`` names it. If the index is another file by now, nothing
  ///   happens. Nil for the index as it is.
  package func recover(because reason: String, file: ino_t? = nil) throws(IndexError) {
    if let file, file != files.number { return }
    connection?.close()
    connection = nil
    try files.moveAside()
    damage = reason
    try open()
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
    let isNew = try files.prepare()
    let database = try Database(path: files.path)
    connection = database
    do throws(IndexError) {
      try database.run("PRAGMA secure_delete=ON")
      try database.run("PRAGMA journal_mode=WAL")
      try database.run("PRAGMA synchronous=NORMAL")
      try database.transaction { () throws(IndexError) in
        if isNew {
          try Schema.create(in: database, generation: makeGeneration())
        } else {
          if !wasClosed { try check(database) }
          try Schema.migrate(database)
        }
      }
      guard let name = try database.first("SELECT value FROM state WHERE name = 'generation'", read: { $0.text(0) })
      else { throw .damaged("it has no name") }
      generation = name
      if try isErasing { try finishErasing() }
    } catch {
      connection = nil
      database.close()
      throw error
    }
  }

  /// Looks at all pages, which takes about a second for a full index.
  private func check(_ database: Database) throws(IndexError) {
    let result = try database.first("PRAGMA quick_check(1)") { $0.text(0) }
    if result != "ok" { throw .damaged(result ?? "") }
  }
}
