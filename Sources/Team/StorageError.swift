import Glibc

/// A file that could not be read or written.
package struct StorageError: Error, CustomStringConvertible {
  let action: String
  let path: String
  /// `errno`; 0 where the file's content is at fault.
  let code: Int32
  private let cause: String

  init(_ action: String, _ path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
    cause = code == 0 ? "unexpected content" : String(cString: strerror(code))
  }

  /// - Parameter cause: What is wrong with the content.
  init(_ action: String, _ path: String, because cause: String) {
    self.action = action
    self.path = path
    code = 0
    self.cause = cause
  }

  /// There is no such file.
  package var isMissing: Bool { code == ENOENT }

  package var description: String { "\(action) \(path): \(cause)" }
}
