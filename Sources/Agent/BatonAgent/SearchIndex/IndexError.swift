// SPDX-License-Identifier: Apache-2.0

import Activity
import CSQLite
import Search

/// Why the index did not do something. Nothing has changed then.
package enum IndexError: Error, Equatable, Sendable {
  /// A part of what is kept would be too long, or there would be too much.
  case limit(EntryLimit)
  /// The database is damaged.
  case damaged(String)
  /// There is no index, or it is not open.
  case missing
  /// The disk is full.
  case full
  /// The index can be read, but not changed.
  case readOnly
  /// Another process uses the index.
  case inUse
  /// The files belong to another user, or are not files.
  case unusable(String)
  /// Reading or writing failed for another reason.
  case failed(String)

  /// Messages about errors of this program, not of the file.
  private static let ownErrors = ["cannot start", "cannot commit", "cannot rollback", "near \"", "fts5: syntax error"]
  /// `SQLITE_IOERR_SHORT_READ` and `SQLITE_IOERR_SHMSIZE`, which are too complicated macros for Swift.
  private static let shortRead = SQLITE_IOERR | 2 << 8
  private static let shortLogIndex = SQLITE_IOERR | 19 << 8

  init(code: Int32, _ message: String) {
    self =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA, SQLITE_MISMATCH: .damaged(message)
      // The statements are always the same, so what they do not find, or what FTS5 does not understand, is damaged.
      case SQLITE_ERROR where !Self.ownErrors.contains(where: { message.starts(withBytesOf: $0) }): .damaged(message)
      case SQLITE_IOERR where code == Self.shortRead: .damaged(message)
      case SQLITE_FULL: .full
      case SQLITE_IOERR where code == Self.shortLogIndex: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .inUse
      default: .failed("\(message) (\(code))")
      }
  }

  package var message: String {
    switch self {
    case .limit(let limit): "\(limit.parameter) exceeds the limit of \(limit.limit)"
    case .damaged(let message): "the index is damaged: \(message)"
    case .missing: "there's no index"
    case .full: "the disk is full"
    case .readOnly: "the file system is read-only"
    case .inUse: "another process is using the index"
    case .unusable(let message), .failed(let message): message
    }
  }
}
