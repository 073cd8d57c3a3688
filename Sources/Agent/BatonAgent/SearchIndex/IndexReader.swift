// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// Finds entries. It has a connection of its own, so it can be used on another thread than ``SearchIndex``, even while
/// that changes or erases something.
package final class IndexReader {
  let path: String
  private var connection: Database?
  /// The number of the file that the connection has open, or had if it was closed because that is damaged.
  package private(set) var file: FileNumber?

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
      let file = FileNumber(of: path)
      if let connection, self.file == file { return connection }
      close()
      guard let file else { throw .missing }
      let database = try Database(path: path, isReadOnly: true)
      do throws(IndexError) {
        // It is being created.
        if try database.int("PRAGMA user_version") ?? 0 == 0 { throw .missing }
      } catch {
        database.close()
        if case .damaged = error { self.file = file }
        throw error
      }
      connection = database
      self.file = file
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

  package var origin: Origin { Origin(device: device) }
}

extension IndexReader {
  /// Returns an entry. Nil if it is not there any more.
  ///
  /// - Parameter now: In seconds since 1970.
  package func entry(_ reference: EntryReference, now: Double) throws(IndexError) -> StoredEntry? {
    try read { database throws(IndexError) in
      guard try database.generation == reference.generation else { return nil }
      let expires = try database.first("SELECT expires FROM entry WHERE id = ?", Value(reference.id)) { $0.double(0) }
      guard let expires, expires > now else { return nil }
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
        throw .damaged("entry \(id) can't be read")
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
