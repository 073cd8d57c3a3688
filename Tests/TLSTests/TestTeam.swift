// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

@testable import TLS

let now = Int64(Date().timeIntervalSince1970)

/// A team with its authority, which can make any number of devices.
struct TestTeam {
  let authority: Authority
  let discoveryKey = SystemRandom.bytes(32)

  init(now: Int64 = now) throws { authority = try Authority.make(now: now) }

  var id: TeamID { get throws { try authority.certificate.teamID } }

  /// Returns a device with a valid certificate.
  func device(now: Int64 = now) throws -> Credentials {
    let key = try PrivateKey.make()
    let request = try CertificateRequest(pem: CertificateRequest.make(for: key).pem())
    return try credentials(key: key, certificate: authority.sign(request, now: now))
  }

  /// Returns a device that knows the team's secrets and has any certificate.
  func credentials(key: PrivateKey, certificate: Certificate) throws -> Credentials {
    try Credentials(
      key: key,
      certificate: certificate,
      authority: authority.certificate,
      discoveryKey: discoveryKey
    )
  }
}

extension TLSEngine {
  func receive(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try receive($0) } }

  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Returns everything that can be read now.
  func readAll(atOnce: Int = 256 * 1024) throws -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: atOnce)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try read(into: $0) }
      guard count > 0 else { return output }
      output += buffer.prefix(count)
    }
  }

  func takeOutput(atMost length: Int = .max) -> [UInt8] {
    var output: [UInt8] = []
    withOutput { bytes in
      output = Array(bytes.prefix(length))
      return output.count
    }
    return output
  }
}

/// Two sessions whose output is each other's input.
struct SessionPair {
  let client: TLSEngine
  let server: TLSEngine
  /// The bytes that each side sent in the handshake.
  private(set) var sentByClient: [UInt8] = []
  private(set) var sentByServer: [UInt8] = []
  private(set) var clientError: TLSError?
  private(set) var serverError: TLSError?

  init(client: TLSContext, server: TLSContext, expecting: DeviceID? = nil, isReturning: Bool = false) throws {
    self.client = try TLSEngine(client, expecting: expecting, isReturning: isReturning)
    self.server = try TLSEngine(server)
    exchange()
  }

  init(
    client: Credentials,
    servers: [Credentials],
    expecting: DeviceID? = nil,
    isReturning: Bool = false
  ) throws {
    try self.init(
      client: .client(credentials: client),
      server: .server(credentials: servers),
      expecting: expecting,
      isReturning: isReturning
    )
  }

  /// Carries bytes until neither side has any left.
  mutating func exchange() {
    while client.pendingOutput + server.pendingOutput > 0 {
      let fromClient = client.takeOutput()
      sentByClient += fromClient
      do { try server.receive(fromClient) } catch { serverError = error as? TLSError }
      let fromServer = server.takeOutput()
      sentByServer += fromServer
      do { try client.receive(fromServer) } catch { clientError = error as? TLSError }
    }
  }
}
