// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small file that a person or another program writes. It may be something other than a regular file, or be endless.
package enum SettingsFile {
  /// Tells whether a file has changed.
  package struct Version: Equatable, Sendable {
    let inode: UInt
    let length: Int
    let seconds: Int
    let nanoseconds: Int
  }

  /// Nil if there is no such file.
  package static func version(of path: String) -> Version? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let time = status.st_mtim
    return Version(
      inode: UInt(status.st_ino),
      length: Int(status.st_size),
      seconds: time.tv_sec,
      nanoseconds: time.tv_nsec
    )
  }

  /// Nil if there is no such file.
  ///
  /// - Throws: If it is not a regular file, is longer than `limit` bytes, or cannot be read.
  package static func contents(of path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("open")
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: try length(of: descriptor, limit: limit))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError("read") }
    return Array(bytes.prefix(count))
  }

  package static func length(of descriptor: Int32, limit: Int) throws(SystemError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("it isn't a regular file", EINVAL) }
    guard status.st_size <= limit else { throw SystemError("it's longer than \(limit) bytes", EFBIG) }
    return Int(status.st_size)
  }
}
