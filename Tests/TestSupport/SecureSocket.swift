// SPDX-License-Identifier: Apache-2.0

import Glibc
import TLS

/// A blocking connection with TLS to a server on loopback that is no Baton peer.
package final class SecureSocket {
  private let client: TLSClient
  private let descriptor: Int32

  /// Connects, and finishes the handshake.
  package init(
    _ trust: ServerTrust,
    host: String = "127.0.0.1",
    port: UInt16,
    protocols: [String] = [],
    identity: ThrowawayCertificate? = nil
  ) throws {
    client = try TLSClient(trust, host: host, protocols: protocols, identity: identity)
    descriptor = try RawSocket.connect(port: port)
    while !client.isEstablished {
      try flush()
      guard try receive() else { throw TestFailure("The connection was closed during the handshake") }
    }
    try flush()
  }

  deinit { close(descriptor) }

  package func write(_ bytes: [UInt8]) throws {
    try client.write(bytes)
    try flush()
  }

  /// Blocks until the server says something.
  ///
  /// - Returns: What it said; nothing at the end.
  package func read() throws -> [UInt8] {
    while true {
      let bytes = try client.read()
      guard bytes.isEmpty, !client.isEnded else { return bytes }
      try flush()
      guard try receive() else { return [] }
    }
  }

  private func flush() throws {
    while client.pendingOutput > 0 {
      let count = client.withOutput { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw TestFailure("send: \(errno)") }
    }
  }

  /// - Returns: False at the end.
  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 || errno == ECONNRESET else { throw TestFailure("The server says nothing: errno \(errno)") }
    guard count > 0 else { return false }
    do { try buffer.withUnsafeBytes { try client.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) } } catch {
      // The alert for the server.
      try? flush()
      throw error
    }
    return true
  }
}
