import Glibc

/// A file that could not be read or written.
package struct StorageError: Error, CustomStringConvertible {
  let action: String
  let path: String
  /// `errno`; 0 where the file's content is at fault.
  let code: Int32

  init(_ action: String, _ path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// There is no such file.
  package var isMissing: Bool { code == ENOENT }

  package var description: String {
    "\(action) \(path): \(code == 0 ? "unexpected content" : String(cString: strerror(code)))"
  }
}
