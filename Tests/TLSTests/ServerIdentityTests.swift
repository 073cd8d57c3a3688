// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import TestSupport
import Testing

@testable import TLS

/// The key and the certificate of a server that a team runs.
@Suite struct ServerIdentityTests {
  private let now = Authority.earliest + 1_000_000

  private func make(_ hosts: [String] = []) throws -> (identity: ServerIdentity, key: PrivateKey, Certificate) {
    let identity = try ServerIdentity.make(hosts: hosts, now: now)
    return (identity, try PrivateKey(pem: identity.key), try Certificate(pem: identity.certificate))
  }

  @Test func theHashesAreThoseOfTheCertificate() throws {
    let (identity, key, certificate) = try make(["a.example"])
    #expect(certificate.isFor(key) && certificate.isSigned(by: certificate))
    #expect(
      try identity.keyHash == certificate.publicKeyHash && identity.certificateHash == SHA256.hash(certificate.der())
    )
    #expect(try certificate.expires == now + Authority.validity)
    let other = try make(["a.example"]).identity
    #expect(other.keyHash != identity.keyHash && other.certificateHash != identity.certificateHash)
  }

  @Test func itIsForItsHosts() throws {
    let certificate = try make(["a.example", "192.0.2.1", "2001:db8::1"]).2
    #expect(X509_check_host(certificate.pointer, "a.example", 0, 0, nil) == 1)
    for address in ["192.0.2.1", "2001:db8::1"] {
      #expect(X509_check_ip_asc(certificate.pointer, address, 0) == 1)
    }
    #expect(X509_check_host(certificate.pointer, "b.example", 0, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT), nil) == 0)
    #expect(X509_check_ip_asc(certificate.pointer, "192.0.2.2", 0) == 0)
    // Nobody asks for a relay by its name.
    #expect(
      X509_check_host(try make().2.pointer, "a.example", 0, UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT), nil) == 0
    )
  }

  @Test func aClientKnowsTheServerByEitherHash() throws {
    let (identity, key, certificate) = try make(["127.0.0.1"])
    let server = try OpenSSLServer(key: key, certificate: certificate)
    for trust in [ServerTrust.publicKeys([identity.keyHash]), .certificate(identity.certificateHash)] {
      let socket = try SecureSocket(trust, port: server.port)
      try socket.write(Array("ab\n".utf8))
      var said: [UInt8] = []
      while !said.contains(0x0A) { said += try socket.read() }
      #expect(said == Array("ba\n".utf8))
    }
    // The key of a server that was made for the same host again.
    let other = try make(["127.0.0.1"]).identity
    for trust in [ServerTrust.publicKeys([other.keyHash]), .certificate(other.certificateHash)] {
      #expect(thrown(by: { try SecureSocket(trust, port: server.port) }) as? TLSClient.Failure == .wrongCertificate)
    }
    #expect(
      thrown(by: { try SecureSocket(.authorities(), port: server.port) }) as? TLSClient.Failure == .unknownAuthority
    )
  }
}
