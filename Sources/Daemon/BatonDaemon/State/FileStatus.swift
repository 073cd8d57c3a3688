// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Teams

/// What a path itself names. A symbolic link at its end is not followed.
struct FileStatus: Equatable {
  let kind: FileKind
  let length: Int
  private let device: UInt64
  private let inode: UInt64

  /// Nil if nothing is there.
  init?(at path: String) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw SystemError(path)
    }
    self.init(status)
  }

  init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat") }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    length = Int(status.st_size)
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Whether both are the same file, whatever has been written to it.
  func isSame(as other: FileStatus) -> Bool { (device, inode, kind) == (other.device, other.inode, other.kind) }
}
