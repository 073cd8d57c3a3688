// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The beginning of a regular file. A pipe or a device in its place does not block the reader.
package struct RegularFile {
  package let bytes: [UInt8]
  package let owner: uid_t
  /// The modification time, in seconds since 1970-01-01 00:00:00 UTC.
  package let time: Double

  /// Nil if it is not a regular file or cannot be read.
  ///
  /// - Parameters:
  ///   - length: The maximum number of bytes to read.
  ///   - followsLinks: Whether the path may be that of a symbolic link.
  package init?(_ path: String, length: Int, followsLinks: Bool = true) {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = open(path, followsLinks ? flags : flags | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    do { bytes = try Descriptor.readAll(descriptor, limit: length) } catch { return nil }
    owner = status.st_uid
    time = Double(status.st_mtim.tv_sec)
  }
}
