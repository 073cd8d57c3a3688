import Activity
import Glibc
import JSONCoding
import Search

/// Finds entries. It has a connection of its own, so it can be used on another thread than ``SearchIndex``, even while
/// that changes or erases something.
package final class IndexReader {
  let path: String
  private var connection: Database?
  /// Which file the last connection has or had open.
  package private(set) var file: ino_t = 0

  /// - Parameter directory: That of an open ``SearchIndex``.
  package init(directory: String) { path = "\(directory)/\(IndexFiles.name)" }

  deinit { close() }

  package func close() {
    connection?.close()
    connection = nil
  }

  /// The connection, which is made again if there is a new index.
  var database: Database {
    get throws(IndexError) {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw .missing }
      if let connection, status.st_ino == file { return connection }
      close()
      file = status.st_ino
      let database = try Database(path: path, isReadOnly: true)
      guard try database.int("PRAGMA user_version") == Schema.version else { throw .missing }
      connection = database
      return database
    }
  }

  /// Runs `body` on one state of the index.
  func read<T>(_ body: (Database) throws(IndexError) -> T) throws(IndexError) -> T {
    let database = try self.database
    try database.run("BEGIN")
    do throws(IndexError) {
      let result = try body(database)
      try database.run("COMMIT")
      return result
    } catch {
      try? database.run("ROLLBACK")
      // An index that is being moved aside is not damaged, only gone.
      if case .damaged = error { close() }
      throw error
    }
  }
}

/// A kept entry, and whose it is.
package struct StoredEntry: Equatable, Sendable {
  package let reference: EntryReference
  package let application: String
  /// The name of the app's index.
  package let index: String?
  /// The machine that it is from, and the team over which it came. Nil for this machine.
  package let device: String?
  package let team: String?
  package let entry: SavedEntry
  /// In seconds since 1970.
  package let lastUsed: Double
}

extension IndexReader {
  /// Returns an entry. Nil if it is not there any more.
  package func entry(_ reference: EntryReference) throws(IndexError) -> StoredEntry? {
    try read { database throws(IndexError) in
      guard try database.generation == reference.generation else { return nil }
      return try database.storedEntry(reference.id, reference.generation)
    }
  }
}

extension Database {
  var generation: String {
    get throws(IndexError) {
      try first("SELECT value FROM state WHERE name = 'generation'", read: { $0.text(0) }) ?? ""
    }
  }

  func storedEntry(_ id: Int, _ generation: String) throws(IndexError) -> StoredEntry? {
    try first(
      """
      SELECT application, name, device, team, used, json, thumbnail FROM entry
      JOIN content ON content.id = entry.id JOIN collection ON collection.id = entry.collection WHERE entry.id = ?
      """,
      Value(id)
    ) { row throws(IndexError) in
      guard let json = try? JSON(parsing: row.bytes(5), depth: Limits.varlinkDepth), var entry = SavedEntry(json: json)
      else {
        throw .damaged("entry \(id) cannot be read")
      }
      if !row.isNull(6) { entry.thumbnailData = row.text(6) }
      return StoredEntry(
        reference: EntryReference(generation: generation, id: id),
        application: row.text(0),
        index: row.text(1).ifNotEmpty,
        device: row.text(2).ifNotEmpty,
        team: row.text(3).ifNotEmpty,
        entry: entry,
        lastUsed: row.double(4)
      )
    }
  }
}

extension String {
  var ifNotEmpty: String? { isEmpty ? nil : self }
}
