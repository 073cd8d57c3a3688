// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// A directory of this process that only its user can access, for texts on their way to and from the editor.
///
/// Its process holds a lock on it. So the next process knows what one has left that was killed, and removes it.
@Loop
package final class PrivateDirectory {
  package let path: String
  private let descriptor: Int32
  private var count = 0

  private static let prefix = "baton-editor-"
  /// The maximum number of names next to it that are looked at.
  private static let limit = 4096
  /// The age, in seconds, from which a directory without a lock is not one that a process is just making.
  private static let age = 60

  /// - Parameter parent: By default the user's runtime directory, or /tmp if there is none.
  package init(in parent: String? = nil) throws(SystemError) {
    let parent = parent ?? ProcessEnvironment.current.runtimeDirectory ?? "/tmp"
    Self.removeAbandoned(in: parent)
    var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
    path = String(decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    descriptor = Self.open(path)
    guard descriptor >= 0 else { throw SystemError("open") }
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  isolated deinit {
    remove()
    close(descriptor)
  }

  /// A path that was not used yet.
  func next() -> String {
    count &+= 1
    return "\(path)/text-\(count)"
  }

  /// Creates an empty file.
  package func newFile() throws(SystemError) -> String {
    let path = next()
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("open") }
    close(descriptor)
    return path
  }

  var isEmpty: Bool { Folder.names(in: path).isEmpty }

  package func remove() { Self.remove(path, descriptor) }

  private static func open(_ path: String) -> Int32 {
    Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func remove(_ path: String, _ descriptor: Int32) {
    for name in Folder.names(in: path) { unlinkat(descriptor, name, 0) }
    rmdir(path)
  }

  private static func removeAbandoned(in parent: String) {
    for name in Folder.names(in: parent, limit: limit) where name.starts(withBytesOf: prefix) {
      let path = "\(parent)/\(name)"
      let descriptor = open(path)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mtim.tv_sec < time(nil) - age,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      {
        remove(path, descriptor)
      }
    }
  }
}
