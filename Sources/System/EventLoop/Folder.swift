// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Lists folders.
package enum Folder {
  /// The names in a folder except `.` and `..`; empty if it cannot be read.
  ///
  /// - Parameter limit: The maximum number of names.
  package static func names(in path: String, limit: Int = .max) -> [String] {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    return (list(descriptor, limit: limit) ?? []).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a folder except `.` and `..`, which need not be text.
  ///
  /// - Parameters:
  ///   - descriptor: Of the folder. It is closed.
  ///   - limit: The maximum number of names.
  /// - Returns: Nil with `errno` if not all can be read.
  package static func list(_ descriptor: Int32, limit: Int = .max) -> [[UInt8]]? {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      errno = code
      return nil
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while names.count < limit {
      // The end and an error differ in nothing else.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { return nil }
        break
      }
      // The structure is only as long as its name, so it must not be copied.
      let pointer = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
      let name = pointer.assumingMemoryBound(to: UInt8.self)
      let bytes = Array(UnsafeBufferPointer(start: name, count: strlen(pointer.assumingMemoryBound(to: CChar.self))))
      if bytes != Array(".".utf8), bytes != Array("..".utf8) { names.append(bytes) }
    }
    return names
  }
}
