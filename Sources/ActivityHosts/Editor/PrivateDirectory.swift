import EventLoop
import Glibc

/// A directory of this process that only its user can access, for texts on their way to and from the editor.
@Loop
final class PrivateDirectory {
  let path: String
  private var count = 0

  /// - Throws: `SystemError`.
  init() throws(SystemError) {
    let parent = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
    var template = Array("\(parent.hasPrefix("/") ? parent : "/tmp")/baton-editor-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  isolated deinit { remove() }

  /// A path that was not used yet.
  func next() -> String {
    count &+= 1
    return "\(path)/text-\(count)"
  }

  /// Creates an empty file.
  func newFile() throws(SystemError) -> String {
    let path = next()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open") }
    close(descriptor)
    return path
  }

  func remove() {
    for number in 0...count { unlink("\(path)/text-\(number)") }
    rmdir(path)
  }
}
