// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Accepts TCP connections on loopback, and sends nothing. Use it on one thread only.
package final class SilentListener {
  package let port: UInt16
  private let listener: DescriptorOwner
  private var connections: [DescriptorOwner] = []

  package init() throws {
    listener = DescriptorOwner(try Sockets.listen(port: 0, backlog: 1024))
    guard let port = Sockets.localAddress(of: listener.descriptor)?.port else { throw TestFailure("getsockname") }
    self.port = port
  }

  /// Returns one of the many addresses of loopback.
  package func address(_ number: UInt8) throws -> SocketAddress {
    guard let address = SocketAddress(bytes: [127, 0, 0, number], port: port) else { throw TestFailure("An address") }
    return address
  }

  /// How many connections have arrived; each stays open.
  package var count: Int {
    while let descriptor = next { connections.append(DescriptorOwner(descriptor)) }
    return connections.count
  }

  /// Closes all connections that have arrived, without sending anything.
  ///
  /// - Returns: How many there were.
  package func hangUp() -> Int {
    defer { connections = [] }
    return count
  }

  /// Waits for a connection, which the caller must close.
  package func accept() throws -> Int32 { try waitFor("A connection comes") { next } }

  private var next: Int32? {
    let descriptor = Glibc.accept(listener.descriptor, nil, nil)
    return descriptor >= 0 ? descriptor : nil
  }
}
