// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Identifies a file among all that have ever had its name. A copy that was put in its place is a different file,
/// whatever its times and its owner.
enum FileOrigin {
  /// Returns the file system, the file's number there, and when it was created, which nobody can set. The text for a
  /// spent file matches no file.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - path: The path to name in errors.
  static func text(ofFile descriptor: Int32, _ path: String) throws(StorageError) -> String {
    var origin = CLinuxFileOrigin()
    guard clinux_file_origin(descriptor, "", &origin) == 0 else { throw StorageError("stat", path) }
    return text(origin)
  }

  static func text(ofFileAt path: String) throws(StorageError) -> String {
    var origin = CLinuxFileOrigin()
    guard clinux_file_origin(AT_FDCWD, path, &origin) == 0 else { throw StorageError("stat", path) }
    return text(origin)
  }

  private static func text(_ origin: CLinuxFileOrigin) -> String {
    guard origin.written != spent else { return "spent" }
    return "\(origin.device)-\(origin.number)-\(origin.seconds).\(origin.nanoseconds)"
  }

  /// The time when spent files were written.
  private static let spent: Int64 = 0

  /// Marks the file under all of its names, because a copy that consists of links is the same file.
  static func spend(_ path: String) throws(StorageError) {
    try Files.setWrittenLongAgo(path)
  }
}
