import CSQLite
import Search

/// Why the index did not do something. Nothing has changed then.
package enum IndexError: Error, Equatable, Sendable {
  /// A part of what is kept would be too long, or there would be too much.
  case limit(EntryLimit)
  /// There is no index, or its tables are about to be made.
  case missing
  /// The database is damaged.
  case damaged(String)
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

  init(code: Int32, _ message: String) {
    self =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_SCHEMA, SQLITE_MISMATCH: .damaged(message)
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .inUse
      default: .failed("\(message) (\(code))")
      }
  }

  package var message: String {
    switch self {
    case .limit(let limit): "\(limit.parameter) exceeds \(limit.limit)"
    case .missing: "there is no index"
    case .damaged(let message): "the index is damaged: \(message)"
    case .full: "the disk is full"
    case .readOnly: "the file system is read-only"
    case .inUse: "another process uses the index"
    case .unusable(let message), .failed(let message): message
    }
  }
}
