// SPDX-License-Identifier: Apache-2.0

import Activity
import CDigest
import Desktop
import Glibc

/// Hashes of a file's blocks (SHA-256), which say what need not be sent again.
final class BlockHash {
  private let digest = cdigest_new()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.transferBlockLength, alignment: 16)

  deinit {
    cdigest_free(digest)
    buffer.deallocate()
  }

  /// Hashes `count` bytes from `offset` on. Nil if the file has fewer, or cannot be read.
  ///
  /// - Parameter count: At most `Limits.transferBlockLength`.
  func hash(_ descriptor: Int32, offset: UInt64, count: Int) -> [UInt8]? {
    var length = 0
    while length < count {
      let room = buffer[length..<count]
      let read = pread(
        descriptor,
        UnsafeMutableRawBufferPointer(rebasing: room).baseAddress,
        room.count,
        off_t(clamping: offset) + length
      )
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      length += read
    }
    cdigest_add(digest, buffer.baseAddress, count)
    var hash = [UInt8](repeating: 0, count: Int(CDIGEST_LENGTH))
    cdigest_finish(digest, &hash)
    return hash
  }
}
