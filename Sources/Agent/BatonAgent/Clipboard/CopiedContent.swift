// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Desktop
import EventLoop
import Glibc
import Hosts

/// What was copied, in memory that has no name and that nobody can change. It is never on the disk, and is gone with
/// this object.
final class CopiedContent: Sendable {
  /// A file in memory, which this object owns.
  let descriptor: Int32
  let size: Int
  /// In hexadecimal digits.
  let sha256: String

  private init(_ descriptor: Int32, size: Int, sha256: String) {
    (self.descriptor, self.size, self.sha256) = (descriptor, size, sha256)
  }

  deinit { close(descriptor) }

  /// Another descriptor of the content, which the caller must close.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

  /// The content. For what is known to be short, and for the helper.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    let size = size
    let count = bytes.withUnsafeMutableBytes { buffer in
      var offset = 0
      while offset < size {
        let count = pread(descriptor, buffer.baseAddress.map { $0 + offset }, size - offset, offset)
        guard count > 0 else { break }
        offset += count
      }
      return offset
    }
    return count == size ? bytes : []
  }

  /// Fills the memory of a content. Used by one thread at a time.
  final class Writer {
    private let descriptor: Int32
    private var size = 0
    private let hash = ContentHash()

    /// - Throws: If there is no memory.
    init() throws(SystemError) {
      descriptor = clinux_sealable_memory_file("copied")
      guard descriptor >= 0 else { throw SystemError("memfd_create") }
    }

    deinit { close(descriptor) }

    /// - Throws: If there is no memory, or it is more than `Limits.clipboardLength`.
    func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
      guard bytes.count <= Limits.clipboardLength - size else { throw SystemError("write", EFBIG) }
      try Descriptor.write(bytes, to: descriptor)
      hash.update(bytes)
      size += bytes.count
    }

    /// Returns the content, which nobody can change. Called once, at the end.
    func finish() throws(SystemError) -> CopiedContent {
      guard clinux_seal(descriptor) == 0 else { throw SystemError("fcntl") }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw SystemError("fcntl") }
      return CopiedContent(copy, size: size, sha256: hash.finish())
    }
  }

  /// - Returns: Nil if there is no memory, or it is too much.
  static func holding(_ bytes: [UInt8]) -> CopiedContent? {
    guard let writer = try? Writer(), (try? writer.write(bytes[...])) != nil else { return nil }
    return try? writer.finish()
  }
}
