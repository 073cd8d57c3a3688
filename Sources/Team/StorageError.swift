import Glibc

/// A file that could not be read or written.
package struct StorageError: Error, CustomStringConvertible {
  private enum Cause: Equatable {
    /// A system call failed, with this `errno`.
    case system(Int32)
    /// The file is not what it must be; says why.
    case damaged(String)
    /// Nothing is wrong with it, but it cannot be read now, as it is sealed or another's; says why.
    case untouchable(String)
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

  /// - Parameter cause: Which key is missing, or whose it is.
  init(untouchable path: String, because cause: String) { self.init("open", path, .untouchable(cause)) }

  /// There is no such file.
  package var isMissing: Bool { cause == .system(ENOENT) }

  /// The file itself is at fault, so that neither a key nor a change of its owner or mode can help.
  package var isDamage: Bool {
    switch cause {
    case .damaged: true
    case .untouchable: false
    case .system(let code): [ELOOP, EISDIR, ENXIO].contains(code)
    }
  }

  package var description: String {
    switch cause {
    case .system(let code): "\(action) \(path): \(String(cString: strerror(code)))"
    case .damaged(let text), .untouchable(let text): "\(action) \(path): \(text)"
    }
  }
}
