// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Handoff
import TLS

/// A batch of full frames, encrypted by one side of a session and decrypted by the other.
final class CipherPath: Path {
  private let client: TLSEngine
  private let server: TLSEngine
  private let batch: [UInt8]
  private var received: [UInt8]

  init() throws {
    let authority = try Authority.make(now: ServerName.now)
    let discoveryKey = SystemRandom.bytes(32)
    func device() throws -> Credentials {
      let key = try PrivateKey.make()
      let certificate = try authority.sign(CertificateRequest.make(for: key), now: ServerName.now)
      return try Credentials(
        key: key,
        certificate: certificate,
        authority: authority.certificate,
        discoveryKey: discoveryKey
      )
    }
    // The server is there first: it refuses names that were made seconds before, and valgrind may take as long.
    server = try TLSEngine(.server(credentials: [device()]))
    client = try TLSEngine(.client(credentials: device()))
    let frame = DataFrame.headerLength + DataFrame.maximumCount
    batch = Array(repeating: 0, count: 16 * frame)
    received = Array(repeating: 0, count: 16 * frame)
    while client.pendingOutput + server.pendingOutput > 0 {
      try Self.carry(from: client, to: server)
      try Self.carry(from: server, to: client)
    }
    guard client.isEstablished, server.isEstablished else { throw Broken("The handshake failed") }
    // The server sends nothing after the handshake.
    _ = try read(from: client)
  }

  func repeatOnce() throws {
    try batch.withUnsafeBytes { try client.write($0) }
    var count = 0
    while client.pendingOutput > 0 {
      try Self.carry(from: client, to: server)
      count += try read(from: server)
    }
    guard count == batch.count else { throw Broken("\(count) of \(batch.count) bytes arrived") }
  }

  private func read(from session: TLSEngine) throws -> Int {
    try received.withUnsafeMutableBytes { try session.read(into: $0) }
  }

  /// Does what two sockets and the kernel do.
  private static func carry(from sender: TLSEngine, to receiver: TLSEngine) throws {
    var failure: (any Error)?
    sender.withOutput { bytes in
      let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(256 * 1024))
      do {
        return try receiver.receive(upTo: 256 * 1024) { space in
          space.copyMemory(from: part)
          return part.count
        }
      } catch {
        failure = error
        return bytes.count
      }
    }
    if let failure { throw failure }
  }
}
