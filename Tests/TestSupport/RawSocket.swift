// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Blocking TCP connections for tests.
package enum RawSocket {
  /// - Parameter source: The local address.
  /// - Returns: A descriptor on which calls block for at most `patience`. The caller must close it.
  package static func connect(port: UInt16, from source: String = "127.0.0.1") throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, let near = SocketAddress(numericHost: source, port: 0),
      let far = SocketAddress(numericHost: "127.0.0.1", port: port)
    else { throw TestFailure("socket") }
    guard near.withSystemForm({ bind(descriptor, $0, $1) }) == 0,
      far.withSystemForm({ Glibc.connect(descriptor, $0, $1) }) == 0
    else {
      close(descriptor)
      throw TestFailure("connect: \(String(cString: strerror(errno)))")
    }
    limitWaiting(descriptor)
    return descriptor
  }

  /// Makes blocking calls on the socket fail after `patience`.
  static func limitWaiting(_ descriptor: Int32) {
    var time = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns a socket to connect later.
  package static func unconnected() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw TestFailure("socket: \(errno)") }
    return descriptor
  }

  package static func connect(_ descriptor: Int32, port: UInt16) throws {
    guard let far = SocketAddress(numericHost: "127.0.0.1", port: port),
      far.withSystemForm({ Glibc.connect(descriptor, $0, $1) }) == 0
    else { throw TestFailure("connect: \(errno)") }
  }

  /// Blocks until the other side ends the connection, by closing or resetting it.
  package static func waitForEnd(_ descriptor: Int32) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count == 0 || count < 0 && errno == ECONNRESET { return bytes }
      guard count > 0 else { throw TestFailure("The connection was not ended: errno \(errno)") }
      bytes += buffer.prefix(count)
    }
  }
}
