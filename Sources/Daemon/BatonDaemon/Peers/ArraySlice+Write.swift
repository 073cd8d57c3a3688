// SPDX-License-Identifier: Apache-2.0

import Glibc

extension ArraySlice<UInt8> {
  /// Writes the slices with one call.
  ///
  /// - Returns: How many bytes were taken; nil if the descriptor is broken.
  static func write(_ slices: [ArraySlice<UInt8>], to descriptor: Int32) -> Int? {
    var vectors: [iovec] = []
    vectors.reserveCapacity(slices.count)
    let count = gather(slices[...], &vectors) { writev(descriptor, $0, Int32(clamping: $0.count)) }
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { return nil }
    return Swift.max(0, count)
  }

  /// Calls `body` with a vector for each slice, while all slices are pinned.
  private static func gather(
    _ slices: ArraySlice<ArraySlice<UInt8>>,
    _ vectors: inout [iovec],
    _ body: ([iovec]) -> Int
  ) -> Int {
    guard let slice = slices.first else { return body(vectors) }
    return slice.withUnsafeBytes { bytes in
      vectors.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
      return gather(slices.dropFirst(), &vectors, body)
    }
  }
}
