// SPDX-License-Identifier: Apache-2.0

import CDigest
import Glibc

/// SHA-256 of what is too long for memory.
package final class ContentHash {
  private let digest = cdigest_new()

  package init() {}

  deinit { cdigest_free(digest) }

  package func update(_ bytes: UnsafeRawBufferPointer) { cdigest_add(digest, bytes.baseAddress, bytes.count) }

  package func update(_ bytes: some Sequence<UInt8>) { Array(bytes).withUnsafeBytes(update) }

  /// Returns the hash in hexadecimal digits. Nothing can be added afterwards.
  package func finish() -> String {
    var hash = [UInt8](repeating: 0, count: Int(CDIGEST_LENGTH))
    cdigest_finish(digest, &hash)
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Hashes the first `size` bytes of a file. Nil if it has fewer, cannot be read, or that takes longer than until the
  /// deadline.
  static func ofFile(_ descriptor: Int32, size: Int, until deadline: ContinuousClock.Instant) -> String? {
    let hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    var offset = 0
    while offset < size {
      guard ContinuousClock.now < deadline else { return nil }
      let count = pread(descriptor, &buffer, min(buffer.count, size - offset), offset)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
    }
    return hash.finish()
  }
}
