// SPDX-License-Identifier: Apache-2.0

import Glibc

extension RegularFile {
  /// Replaces a file that only this user may read, or makes it. Whatever happens, a reader finds the old one or the new
  /// one, and after this returns the new one, even if the machine loses its power. Waits for the disk.
  ///
  /// - Parameter path: Absolute. Folders that are missing are made, for this user only.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    for index in path.utf8.indices.dropFirst() where path.utf8[index] == UInt8(ascii: "/") {
      mkdir(String(path[..<index]), 0o700)
    }
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open \(temporary)") }
    defer { close(descriptor) }
    do throws(SystemError) {
      try Descriptor.write(bytes[...], to: descriptor)
      guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync \(temporary)") }
      guard Glibc.rename(temporary, path) == 0 else { throw SystemError("rename \(path)") }
    } catch {
      unlink(temporary)
      throw error
    }
    let folder = open(
      String(path[..<(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC
    )
    guard folder >= 0 else { throw SystemError("open") }
    defer { close(folder) }
    guard fsync(folder) == 0 || errno == EINVAL else { throw SystemError("fsync") }
  }
}
