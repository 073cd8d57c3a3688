// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import Desktop
import Glibc

/// Hashes of a file's blocks (SHA-256), which say what need not be sent again.
final class BlockHash {
  private let context = EVP_MD_CTX_new()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.transferBlockLength, alignment: 16)

  deinit {
    EVP_MD_CTX_free(context)
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
    var digest = [UInt8](repeating: 0, count: 32)
    let isDone =
      EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
      && EVP_DigestUpdate(context, buffer.baseAddress, count) == 1
      && EVP_DigestFinal_ex(context, &digest, nil) == 1
    precondition(isDone, "SHA-256 is in every OpenSSL")
    return digest
  }
}
