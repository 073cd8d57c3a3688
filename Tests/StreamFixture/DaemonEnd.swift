// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// The daemon's end of the socket. Each call blocks for at most `patience`.
package final class DaemonEnd: Sendable {
  package let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  package func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the end, or until there are `count` bytes.
  package func read(_ count: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count < count {
      let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
      guard got >= 0 else { throw TestFailure("recv: \(String(cString: strerror(errno)))") }
      if got == 0 { break }
      bytes += buffer.prefix(got)
    }
    return bytes
  }

  /// Whether the app has ended its direction, or hung up.
  package var hasEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
  }

  /// Ends this side's direction.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Writes until the socket takes no more.
  ///
  /// - Returns: How many bytes it took.
  package func writeUntilFull() -> Int {
    let block = noise(64 * 1024, seed: 3)
    var written = 0
    while true {
      let count = send(descriptor, block, block.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      guard count > 0 else { return written }
      written += count
    }
  }

  /// Whether a write fails because nobody can read any longer.
  package var isCut: Bool { send(descriptor, [0], 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EPIPE }

  /// Closes the socket itself, so unread bytes reset it. The number then belongs to /dev/null.
  package func close() {
    let none = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(none, descriptor)
    Glibc.close(none)
  }

  /// Shuts the socket down, as the daemon's `close` does. The descriptor stays reserved until this object is released.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
