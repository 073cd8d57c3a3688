import Glibc

/// A file that could not be read or written.
package struct StorageError: Error, CustomStringConvertible {
  private enum Cause: Equatable {
    /// A system call failed, with this `errno`.
    case system(Int32)
    /// The file is not what it must be; says why.
    case damaged(String)
    /// It is sealed, and the key for it is not there; says why.
    case sealed(String)
    /// It belongs to another user; says to whom.
    case foreign(String)
  }

  private let action: String
  package let path: String
  private let cause: Cause

  private init(_ action: String, _ path: String, _ cause: Cause) {
    self.action = action
    self.path = path
    self.cause = cause
  }

  /// - Parameter code: `errno`; 0 where the file's content is at fault.
  package init(_ action: String, _ path: String, code: Int32 = errno) {
    self.init(action, path, code == 0 ? .damaged("unexpected content") : .system(code))
  }

  /// - Parameter cause: What is wrong with the file.
  package init(_ action: String, _ path: String, because cause: String) { self.init(action, path, .damaged(cause)) }

  /// - Parameter cause: Which key is missing.
  init(sealed path: String, because cause: String) { self.init("open", path, .sealed(cause)) }

  /// - Parameter cause: Whose it is.
  init(foreign path: String, because cause: String) { self.init("open", path, .foreign(cause)) }

  /// There is no such file.
  package var isMissing: Bool { cause == .system(ENOENT) }

  /// The file itself is at fault, so that trying again cannot help; one that is only sealed is not.
  package var isDamage: Bool {
    switch cause {
    case .damaged, .foreign: true
    case .sealed: false
    case .system(let code): [ELOOP, EISDIR, ENXIO, EACCES].contains(code)
    }
  }

  /// This process may not read it; what is in it may be in order.
  var isForbidden: Bool {
    switch cause {
    case .foreign, .system(EACCES): true
    default: false
    }
  }

  package var description: String {
    switch cause {
    case .system(let code): "\(action) \(path): \(String(cString: strerror(code)))"
    case .damaged(let text), .sealed(let text), .foreign(let text): "\(action) \(path): \(text)"
    }
  }
}
