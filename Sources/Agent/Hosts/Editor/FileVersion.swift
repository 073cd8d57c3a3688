// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which version of a file is on the disk, as far as its metadata tell.
struct FileVersion: Equatable, Sendable {
  private let device, inode: UInt64
  private let nanoseconds: Int
  /// In bytes.
  let size: Int
  /// When it was written, since 1970.
  let seconds: Int

  /// Nil if there is no regular file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
