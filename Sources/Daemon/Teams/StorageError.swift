// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that could not be read or written.
package struct StorageError: Error, CustomStringConvertible {
  private enum Cause: Equatable {
    /// A system call failed, with this `errno`.
    case system(Int32)
    /// The file is not what it must be, for this reason.
    case damaged(String)
    /// It is sealed, and the key for it is missing, for this reason.
    case sealed(String)
    /// It belongs to another user, whom the text names.
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

  /// - Parameter code: `errno`; 0 if the file's content is at fault.
  package init(_ action: String, _ path: String, code: Int32 = errno) {
    self.init(action, path, code == 0 ? .damaged("unexpected content") : .system(code))
  }

  /// - Parameter cause: What is wrong with the file.
  package init(_ action: String, _ path: String, because cause: String) { self.init(action, path, .damaged(cause)) }

  /// - Parameter cause: Which key is missing.
  init(sealed path: String, because cause: String) { self.init("open", path, .sealed(cause)) }

  /// - Parameter cause: Who owns the file.
  init(foreign path: String, because cause: String) { self.init("open", path, .foreign(cause)) }

  /// Whether there is no such file.
  package var isMissing: Bool { cause == .system(ENOENT) }

  /// Whether the file itself is at fault, so that trying again cannot help. A file that is only sealed is not at fault.
  package var isDamage: Bool {
    switch cause {
    case .damaged, .foreign: true
    case .sealed: false
    case .system(let code): [ELOOP, EISDIR, ENXIO, EACCES].contains(code)
    }
  }

  /// Whether this process may not read the file. Its content may be intact.
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
