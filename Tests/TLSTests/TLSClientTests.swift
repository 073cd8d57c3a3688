// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import TestSupport
import Testing

@testable import TLS

/// A client of servers that are no peers, against `openssl s_server`.
@Suite struct TLSClientTests {
  private func failure(_ connect: () throws -> SecureSocket) -> TLSClient.Failure? {
    thrown(by: connect) as? TLSClient.Failure
  }

  private func expectToTalk(_ socket: SecureSocket) throws {
    try socket.write(Array("hello\n".utf8))
    var said: [UInt8] = []
    while !said.contains(0x0A) { said += try socket.read() }
    #expect(said == Array("olleh\n".utf8))
  }

  @Test func aServerIsKnownByItsPublicKey() throws {
    let server = try OpenSSLServer()
    let hash = try server.certificate.publicKeyHash
    try expectToTalk(SecureSocket(.publicKeys([hash]), port: server.port))
    // Also among others, and by any name.
    let pins = ServerTrust.publicKeys([SystemRandom.bytes(32), hash])
    try expectToTalk(SecureSocket(pins, host: "other.example", port: server.port))
    for pins in [[], [SystemRandom.bytes(32)], [[]], [SHA256.hash(try server.certificate.der())]] as [[[UInt8]]] {
      #expect(failure { try SecureSocket(.publicKeys(pins), port: server.port) } == .wrongCertificate)
    }
  }

  @Test func aServerIsKnownByItsCertificate() throws {
    let server = try OpenSSLServer()
    let hash = SHA256.hash(try server.certificate.der())
    try expectToTalk(SecureSocket(.certificate(hash), port: server.port))
    let other = SHA256.hash(try ThrowawayCertificate.make().certificate.der())
    for hash in [other, try server.certificate.publicKeyHash, []] {
      #expect(failure { try SecureSocket(.certificate(hash), port: server.port) } == .wrongCertificate)
    }
    try expectToTalk(SecureSocket(.unverified, port: server.port))
  }

  @Test func aServerIsKnownByItsNameIfAnAuthorityVouchesForIt() throws {
    let server = try OpenSSLServer(names: "DNS:relay.example,DNS:*.wild.example,IP:127.0.0.1,IP:::1")
    let trust = ServerTrust.authorities(directory: server.directory)
    for host in ["relay.example", "RELAY.example", "a.wild.example", "127.0.0.1", "::1"] {
      try expectToTalk(SecureSocket(trust, host: host, port: server.port))
    }
    for host in ["example", "a.relay.example", "wild.example", "a.b.wild.example", "127.0.0.2", "::2", "test"] {
      #expect(failure { try SecureSocket(trust, host: host, port: server.port) } == .otherHost, "\(host)")
    }
    for host in ["", ".example", "relay.example\0.org"] {
      guard case .internalFailure = failure({ try SecureSocket(trust, host: host, port: server.port) }) else {
        Issue.record("The name \(host) is accepted")
        continue
      }
    }
  }

  @Test func theSystemsAuthoritiesVouchForNobodyElse() throws {
    let server = try OpenSSLServer()
    #expect(failure { try SecureSocket(.authorities(), port: server.port) } == .unknownAuthority)
    let other = try OpenSSLServer()
    let trust = ServerTrust.authorities(directory: other.directory)
    #expect(failure { try SecureSocket(trust, port: server.port) } == .unknownAuthority)
  }

  @Test func anExpiredCertificateIsTold() throws {
    let key = try PrivateKey.make()
    let template = CertificateTemplate(
      commonName: "relay.example",
      basicConstraints: "CA:TRUE",
      keyUsage: "digitalSignature,keyCertSign",
      notBefore: 0,
      notAfter: Authority.earliest
    )
    let server = try OpenSSLServer(key: key, certificate: template.signed(for: key.pointer, by: .itself(key)))
    let trust = ServerTrust.authorities(directory: server.directory)
    let failure = failure { try SecureSocket(trust, host: "relay.example", port: server.port) }
    #expect(failure == .invalidCertificate("certificate has expired"))
    // Whoever knows its key does not need the time.
    try expectToTalk(SecureSocket(.publicKeys([try server.certificate.publicKeyHash]), port: server.port))
  }

  @Test func theProtocolMustBeSelected() throws {
    let server = try OpenSSLServer(options: ["-alpn", "one,two"])
    try expectToTalk(SecureSocket(.unverified, port: server.port, protocols: ["zero", "two"]))
    try expectToTalk(SecureSocket(.unverified, port: server.port))
    let without = try OpenSSLServer()
    for port in [server.port, without.port] {
      guard case .handshakeFailed = failure({ try SecureSocket(.unverified, port: port, protocols: ["bep-relay"]) })
      else {
        Issue.record("A server without the protocol is accepted")
        continue
      }
    }
  }

  @Test func theEndIsNoticed() throws {
    let server = try OpenSSLServer()
    let socket = try SecureSocket(.unverified, port: server.port)
    // `openssl s_server -rev` ends the connection on this word.
    try socket.write(Array("CLOSE\n".utf8))
    #expect(try socket.read().isEmpty && socket.read().isEmpty)
  }

  @Test func olderVersionsAreRefused() throws {
    let server = try OpenSSLServer(options: ["-tls1_2"])
    guard case .handshakeFailed = failure({ try SecureSocket(.unverified, port: server.port) }) else {
      Issue.record("TLS 1.2 is accepted")
      return
    }
  }

  /// The server asks for a certificate, and may refuse it after this side considers itself established.
  @Test func theIdentityIsShownToAServerThatAsks() throws {
    let server = try OpenSSLServer(options: ["-Verify", "1"])
    let identity = try ThrowawayCertificate.make()
    try expectToTalk(SecureSocket(.unverified, port: server.port, identity: identity))
    let nobody = try SecureSocket(.unverified, port: server.port)
    guard case .interrupted = thrown(by: nobody.read) as? TLSClient.Failure else {
      Issue.record("The server accepts nobody")
      return
    }
  }

  @Test func whatIsNotTLSIsRefused() throws {
    let client = try TLSClient(.unverified, host: "relay.example")
    #expect(client.pendingOutput > 0 && !client.isEstablished)
    for _ in 0..<2 {
      let error = #expect(throws: TLSClient.Failure.self) {
        try Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).withUnsafeBytes { try client.receive($0) }
      }
      guard case .handshakeFailed = error else {
        Issue.record("It is accepted")
        return
      }
    }
    #expect(throws: TLSClient.Failure.self) { try client.write([1]) }
    #expect(throws: TLSClient.Failure.self) { try client.read() }
  }

  @Test func nothingIsWrittenBeforeTheHandshakeIsFinished() throws {
    let client = try TLSClient(.unverified, host: "192.0.2.1")
    #expect(throws: TLSClient.Failure.self) { try client.write([1]) }
    #expect(try client.read().isEmpty)
  }

  @Test func aThrowawayCertificateSaysNothing() throws {
    let (one, other) = (try ThrowawayCertificate.make(), try ThrowawayCertificate.make())
    #expect(one.id == SHA256.hash(try one.certificate.der()) && one.id != other.id)
    #expect(one.certificate.isFor(one.key) && one.certificate.isSigned(by: one.certificate))
    #expect(try one.certificate.publicKeyHash != other.certificate.publicKeyHash)
    #expect(try one.certificate.expires == other.certificate.expires, "The clock is not in it")
  }
}
