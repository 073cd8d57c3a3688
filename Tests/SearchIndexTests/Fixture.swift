// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import CSQLite
import Glibc
import JSONCoding
import Search

/// An index in a directory of its own.
final class Fixture {
  let directory: String
  var limits = IndexLimits()
  private var opened: SearchIndex?
  private let generations = Counter()
  /// The beginning of the names of generations.
  var prefix = ""

  init() {
    var template = Array("\(String(cString: getenv("TMPDIR") ?? strdup("/tmp")))/search-index-XXXXXX".utf8CString)
    directory = String(cString: mkdtemp(&template))
  }

  deinit {
    opened?.close()
    Self.remove(directory)
  }

  static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      chmod(path, 0o700)
      for name in names(in: path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // The structure in memory is as long as the name, and must not be copied as a whole.
      let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Where the index is.
  var home: String { "\(directory)/baton" }
  var path: String { "\(home)/search.db" }

  func index() throws -> SearchIndex {
    if let opened { return opened }
    // The index is the fixture's, so it must not keep the fixture.
    let index = try SearchIndex(directory: home, limits: limits) { [generations, prefix] in
      "\(prefix)generation\(generations.next())"
    }
    opened = index
    return index
  }

  func close() {
    opened?.close()
    opened = nil
  }

  func reader() -> IndexReader { IndexReader(directory: home) }

  func search(_ text: String, limit: Int = 20, now: Double = 1000) throws -> [String] {
    guard let words = SearchWords(text) else { return [] }
    return try reader().search(words, limit: limit, now: now).map(\.title)
  }

  /// The titles of all entries of a machine, in order.
  func titles(device: String = "", team: String = "") throws -> [String] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close(database)
    }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { throw IndexError.full }
    let sql = """
      SELECT title FROM entry JOIN collection ON collection.id = entry.collection
      WHERE device = '\(device)' AND team = '\(team)' ORDER BY title
      """
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw IndexError.readOnly }
    var titles: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW { titles.append(String(cString: sqlite3_column_text(statement, 0))) }
    return titles
  }

  /// The content of all files of the index.
  func bytes() -> [UInt8] {
    Self.names(in: home).flatMap { name in Self.bytes(of: "\(home)/\(name)") }
  }

  static func bytes(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { Glibc.close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    return Array(unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count {
        let step = read(descriptor, buffer.baseAddress! + count, buffer.count - count)
        if step <= 0 { break }
        count += step
      }
    }
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      rest = rest.dropFirst(count)
    }
    Glibc.close(descriptor)
  }
}

private final class Counter {
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}

extension [UInt8] {
  func contains(_ text: String) -> Bool {
    let part = Array(text.utf8)
    guard let first = part.first else { return true }
    return withUnsafeBytes { bytes in
      var start = bytes.baseAddress
      var rest = bytes.count
      while rest >= part.count, let from = start, let found = memchr(from, Int32(first), rest - part.count + 1) {
        if memcmp(found, part, part.count) == 0 { return true }
        rest -= UnsafeRawPointer(found) - from + 1
        start = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }
}

func item(_ identifier: String, _ title: String? = nil, _ change: (inout SavedEntry) -> Void = { _ in }) -> SavedEntry {
  var entry = SavedEntry(identifier: identifier)
  entry.title = title
  change(&entry)
  return entry
}

func activity(
  _ identifier: String,
  _ title: String? = nil,
  _ change: (inout SavedEntry) -> Void = { _ in }
) throws -> SavedEntry {
  var entry = SavedEntry(identifier: identifier)
  entry.title = title
  entry.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
  entry.isEligibleForSearch = true
  change(&entry)
  return entry
}
