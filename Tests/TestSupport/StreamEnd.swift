// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import Glibc

/// An app's end of a continuation stream; each call blocks.
package final class StreamEnd: Sendable {
  // A test reads on one thread and writes on another, and the kernel keeps the directions apart.
  package let descriptor: Int32
  package let token: String

  init(_ upgraded: (reply: StreamReply, descriptor: Int32)) {
    descriptor = upgraded.descriptor
    token = upgraded.reply.stream
    var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// Ends the app's connection now. Unlike after a real close, the descriptor stays reserved until this object is
  /// released.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Closes the socket, even with unread bytes in it. As with `hangUp`, the descriptor stays reserved.
  package func close() {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nothing, descriptor)
    Glibc.close(nothing)
  }

  /// Whether the other side has ended its direction, even if unread bytes come before the end.
  package var hasEnd: Bool { Descriptor.hasEnded(descriptor) }

  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes until every buffer on the way is full.
  ///
  /// - Parameter pause: Gives the receiving side a turn.
  /// - Returns: How many bytes were written.
  package func writeUntilFull(_ pause: () throws -> Void) throws -> Int {
    let block = noise(64 << 10, seed: 3)
    var written = 0
    var pauses = 0
    while pauses < 200 {
      let count = send(descriptor, block, block.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      guard count > 0 || errno == EAGAIN else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
      written += max(0, count)
      pauses = count > 0 ? 0 : pauses + 1
      try pause()
    }
    return written
  }

  /// Ends this side's direction.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Reads until the end.
  package func readAll() throws -> [UInt8] { try read(.max) }

  /// Reads `count` bytes, or fewer if the stream ends earlier.
  package func read(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    while bytes.count < count {
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got >= 0 else { throw TestFailure("recv: \(String(cString: strerror(errno)))") }
      if got == 0 { break }
      bytes += buffer.prefix(got)
    }
    return bytes
  }
}

/// Returns bytes that look random and depend on the seed.
package func noise(_ count: Int, seed: UInt64) -> [UInt8] {
  var state = seed
  return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count {
      if index % 8 == 0 { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
      buffer[index] = UInt8(truncatingIfNeeded: (state ^ state >> 29) >> (UInt64(index % 8) * 8))
    }
    initialized = count
  }
}
