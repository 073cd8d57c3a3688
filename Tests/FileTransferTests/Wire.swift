// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// Copies between two sockets, and breaks both when the origin has sent so much.
final class Wire {
  /// Non-blocking, as those of streams.
  let origin: Int32
  let receiver: Int32
  private let inner: (Int32, Int32)
  private let threads: [Outcome<Int>]

  init(limit: Int) throws {
    let (left, right) = (try Self.pair(), try Self.pair())
    (origin, receiver) = (left.0, right.0)
    let inner = (left.1, right.1)
    self.inner = inner
    threads = [
      onThread { Self.copy(from: inner.0, to: inner.1, limit: limit) },
      onThread { Self.copy(from: inner.1, to: inner.0, limit: .max) },
    ]
    for descriptor in [origin, receiver] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  private static func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw TestFailure("socketpair") }
    return (ends[0], ends[1])
  }

  private static func copy(from source: Int32, to sink: Int32, limit: Int) -> Int {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var total = 0
    while total < limit {
      let count = recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      total += count
      guard send(sink, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
    }
    if total >= limit {
      for descriptor in [source, sink] { shutdown(descriptor, Int32(SHUT_RDWR)) }
    } else {
      shutdown(sink, Int32(SHUT_WR))
    }
    return total
  }

  /// - Returns: The number of bytes that the origin sent.
  func close() throws -> Int {
    let total = try threads[0].wait()
    _ = try threads[1].wait()
    for descriptor in [origin, receiver, inner.0, inner.1] { Glibc.close(descriptor) }
    return total
  }
}
