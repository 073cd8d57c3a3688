// SPDX-License-Identifier: Apache-2.0

import Activity
import CSQLite

/// A value of a row.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  init(_ text: String?) { self = text.map(Value.text) ?? .null }
  init(_ number: Int) { self = .integer(Int64(number)) }
  init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
  init(_ number: Double?) { self = number.map(Value.real) ?? .null }
  init(_ bytes: [UInt8]?) { self = bytes.map(Value.bytes) ?? .null }
}

/// The current row of a statement.
struct Row {
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
  func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
  func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

  /// Bytes that are not UTF-8, as in a damaged file, are replaced.
  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}

/// A connection to a database.
final class Database {
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  private static let registration = csqlite_register_erasing_files()

  /// - Parameter isReadOnly: Whether this connection only reads. Another one writes.
  init(path: String, isReadOnly: Bool = false) throws(IndexError) {
    guard Self.registration == SQLITE_OK else { throw .failed("SQLite has no files") }
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, CSQLITE_ERASING_FILES)
    guard code == SQLITE_OK, handle != nil else {
      let error = self.error(code)
      close()
      throw error
    }
    // Defend against files that others made; and readers and the writer wait for each other for a moment.
    sqlite3_busy_timeout(handle, Self.busyTime)
    try run("PRAGMA trusted_schema=OFF")
    try run("PRAGMA cell_size_check=ON")
    try run("PRAGMA temp_store=MEMORY")
    try run("PRAGMA cache_size=-\(Self.cacheKilobytes)")
  }

  deinit { close() }

  /// How long a connection waits for another one, in milliseconds: longer than any query takes.
  private static let busyTime: Int32 = 2000
  /// The memory for pages of one connection.
  private static let cacheKilobytes = 8192

  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  var changes: Int { Int(sqlite3_changes64(handle)) }
  var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs a statement, and calls `body` with each row until it returns false.
  func each(_ sql: String, _ values: [Value] = [], _ body: (Row) throws(IndexError) -> Bool) throws(IndexError) {
    let statement = try prepare(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = bind(statement, Int32(index) + 1, value)
      guard code == SQLITE_OK else { throw error(code) }
    }
    while true {
      let code = sqlite3_step(statement)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_ROW: if try !body(Row(statement: statement)) { return }
      default: throw error(code)
      }
    }
  }

  func run(_ sql: String, _ values: Value...) throws(IndexError) { try each(sql, values) { _ in true } }

  func rows<T>(_ sql: String, _ values: Value..., read: (Row) throws(IndexError) -> T) throws(IndexError) -> [T] {
    var rows: [T] = []
    try each(sql, values) { row throws(IndexError) in
      rows.append(try read(row))
      return true
    }
    return rows
  }

  /// Returns what `read` makes of the first row. Nil if there is none.
  func first<T>(_ sql: String, _ values: Value..., read: (Row) throws(IndexError) -> T) throws(IndexError) -> T? {
    var result: T?
    try each(sql, values) { row throws(IndexError) in
      result = try read(row)
      return false
    }
    return result
  }

  func int(_ sql: String, _ values: Value...) throws(IndexError) -> Int? {
    var result: Int?
    try each(sql, values) { row throws(IndexError) in
      result = row.optionalInt(0)
      return false
    }
    return result
  }

  /// Runs all of `body`, or nothing of it.
  func transaction<T>(_ body: () throws(IndexError) -> T) throws(IndexError) -> T {
    try run("BEGIN IMMEDIATE")
    do throws(IndexError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back itself.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Forgets prepared statements whose tables are gone.
  func forgetStatements(containing text: String) {
    for (sql, statement) in statements where sql.containsBytes(of: text) {
      sqlite3_finalize(statement)
      statements[sql] = nil
    }
  }

  private func prepare(_ sql: String) throws(IndexError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ statement: OpaquePointer, _ index: Int32, _ value: Value) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      Array(text.utf8).withUnsafeBytes { bytes in
        csqlite_bind_text(
          statement,
          index,
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count)
        )
      }
    case .bytes(let bytes):
      bytes.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count)) }
    }
  }

  private func error(_ code: Int32) -> IndexError {
    let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "SQLite failed"
    return IndexError(code: code, message)
  }
}
