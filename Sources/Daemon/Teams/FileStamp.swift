// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tells a file apart from those that had its name before. `Files.write` always makes a new one.
struct FileStamp: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let length: Int64
  private let changeSeconds: Int64
  private let changeNanoseconds: Int64

  /// Nil if there is no such file.
  init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    (device, inode, length) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    (changeSeconds, changeNanoseconds) = (Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec))
  }
}
