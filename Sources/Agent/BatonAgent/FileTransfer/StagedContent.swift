// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// What is in a staging folder from an earlier attempt.
enum StagedContent {
  enum Kind {
    case file
    case folder
    /// It was not made by a transfer, or is a link or a file with several names, which are made at the end.
    case other
  }

  /// The number of bytes that everything in it takes on the disk.
  static func size(of folder: Int32) -> UInt64 {
    var size: UInt64 = 0
    walk(folder, nil) { _, _, status, _ in
      size &+= UInt64(clamping: status.st_blocks) &* 512
      return status.isFolder
    }
    return size
  }

  /// The number of files and folders in it.
  static func count(of folder: Int32) -> UInt64 {
    var count: UInt64 = 0
    walk(folder, nil) { _, _, status, _ in
      count &+= 1
      return status.isFolder
    }
    return count
  }

  /// Deletes what the condition is true for.
  static func removeAll(in folder: Int32, where condition: (TransferPath, Kind) -> Bool) {
    walk(folder, nil) { path, name, status, parent in
      let kind: Kind = status.isFile && status.st_nlink == 1 ? .file : status.isFolder ? .folder : .other
      guard let path, !condition(path, kind) else {
        StagingFolder.remove(name, in: parent, depth: path?.depth ?? 1)
        return false
      }
      return kind == .folder
    }
  }

  /// - Parameter visit: Returns whether to look into what it gets.
  private static func walk(
    _ folder: Int32,
    _ path: TransferPath?,
    visit: (TransferPath?, [UInt8], stat, Int32) -> Bool
  ) {
    let listing = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard listing >= 0, let names = names(inFolder: listing) else { return }
    for name in names {
      var status = stat()
      guard fstatat(folder, name.cPath, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let inner = path.map { $0.appending(name) } ?? TransferPath(name)
      guard visit(inner, name, status, folder), let inner else { continue }
      let descriptor = openat(folder, name.cPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      walk(descriptor, inner, visit: visit)
      close(descriptor)
    }
  }
}
