// SPDX-License-Identifier: Apache-2.0

import CLinux
import EventLoop
import Glibc

extension [UInt8] {
  /// The bytes with a NUL, for the C library. Paths are bytes that need not be text.
  var cPath: [CChar] { map(CChar.init(truncatingIfNeeded:)) + [0] }
}

extension Descriptor {
  /// Opens or creates what is below a directory. No part of the path leads out of the directory, or is a symbolic link.
  ///
  /// - Parameters:
  ///   - path: Relative. Empty for the directory itself.
  ///   - flags: Those of open(2). The descriptor is closed on exec in any case.
  ///   - mode: With O_CREAT.
  /// - Returns: -1 with `errno`.
  static func openBeneath(_ directory: Int32, _ path: [UInt8], _ flags: Int32, mode: mode_t = 0) -> Int32 {
    let here = [UInt8(ascii: ".")]
    return clinux_create_beneath(directory, (path.isEmpty ? here : path).cPath, flags | O_CLOEXEC, mode)
  }

  /// Opens an absolute path of which no part is a symbolic link.
  ///
  /// - Returns: -1 with `errno`: ELOOP if there is one.
  static func openWithoutLinks(_ path: [UInt8], _ flags: Int32) -> Int32 {
    let root = open("/", pathOnly | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else { return -1 }
    let descriptor = openBeneath(root, Array(path.drop { $0 == UInt8(ascii: "/") }), flags)
    let code = errno
    close(root)
    errno = code
    return descriptor
  }

  /// Moves a file from one directory to another one, unless the new name exists there.
  ///
  /// - Returns: 0, or -1 with `errno`: EEXIST if the name exists.
  static func rename(_ name: [UInt8], in directory: Int32, toNew other: [UInt8], in otherDirectory: Int32) -> Int32 {
    clinux_move_new(directory, name.cPath, otherDirectory, other.cPath)
  }
}

/// The names in a folder, except `.` and `..`, in the order of their bytes.
///
/// - Parameter descriptor: Of the folder. It is closed.
/// - Returns: Nil if not all can be read.
func names(inFolder descriptor: Int32) -> [[UInt8]]? {
  Folder.list(descriptor)?.sorted { $0.lexicographicallyPrecedes($1) }
}

/// O_PATH, which Glibc declares for _GNU_SOURCE only.
let pathOnly: Int32 = 0o10000000

extension stat {
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}
