// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// The clones that were used on this machine, the newest first, in a file of the user. Each path ends with NUL.
struct CloneList {
  /// The maximum number of clones that are remembered.
  static let count = 256
  private static let fileLength = count * 4096

  let path: String

  /// Returns the roots of the clones. Empty if nothing is remembered, or the file cannot be read.
  func load() -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.fileLength)
    let length = max(0, pread(descriptor, &bytes, bytes.count, 0))
    // What has no end was cut off.
    guard let end = bytes[..<length].lastIndex(of: 0) else { return [] }
    let paths = bytes[..<end].split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
    return Array(paths.filter { $0.starts(withBytesOf: "/") }.prefix(Self.count))
  }

  /// Adds a clone, and forgets the oldest if there are too many. Nobody is told if that fails.
  func remember(_ root: String) {
    let known = load()
    guard root.utf8.count < 4096, !known.contains(where: { $0.hasBytes(of: root) }) else { return }
    let bytes: [UInt8] = ([root] + known).prefix(Self.count).flatMap { Array($0.utf8) + [0] }
    makeDirectories()
    let temporary = "\(path).\(UInt64.random(in: .min ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
  }

  private func makeDirectories() {
    for index in path.utf8.indices where path.utf8[index] == UInt8(ascii: "/") && index != path.startIndex {
      mkdir(String(path[..<index]), 0o700)
    }
  }
}
