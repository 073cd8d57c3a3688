// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import TLS

/// Every certificate that does not belong to a device of the team, in both roles. There must be a reason, and not one
/// byte of plaintext.
@Suite struct CertificateMatrixTests {
  private let team: TestTeam
  private let device: Credentials

  init() throws {
    team = try TestTeam()
    device = try team.device()
  }

  private func expectRefusal(_ session: TLSEngine, of peer: ForeignPeer, with reason: Reason) {
    let error = peer.converse(with: session)
    #expect(error?.reason == reason, "\(String(describing: error))")
    #expect(!session.isEstablished && session.peer == nil)
    #expect(throws: TLSError.self) { try session.readAll() }
    #expect(throws: TLSError.self) { try session.write([1]) }
  }

  @Test(arguments: OddCertificate.allCases)
  func clientsAreRefused(_ odd: OddCertificate) throws {
    let server = try TLSEngine(.server(credentials: [device]))
    let client = try ForeignPeer(odd.behaviour(in: team), isServer: false)
    expectRefusal(server, of: client, with: odd.reason)
    #expect(client.read().isEmpty && client.error?.contains("alert") == true, "It is told: \(client.error ?? "-")")
  }

  @Test(arguments: OddCertificate.allCases)
  func serversAreRefused(_ odd: OddCertificate) throws {
    let client = try TLSEngine(.client(credentials: device))
    let server = try ForeignPeer(odd.behaviour(in: team), isServer: true)
    expectRefusal(client, of: server, with: odd.reason)
    #expect(!server.isFinished && server.error?.contains("alert") == true, "It is told: \(server.error ?? "-")")
  }

  @Test func aClientWithoutCertificateIsRefused() throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.certificate = nil
    let server = try TLSEngine(.server(credentials: [device]))
    let client = try ForeignPeer(behaviour, isServer: false)
    expectRefusal(server, of: client, with: .certificateMissing)
    #expect(client.read().isEmpty && client.error == "SSL routines: tlsv13 alert certificate required")
  }

  /// Owners of such keys cannot even sign a handshake with us, because the signature schemes are not offered.
  @Test(arguments: [("RSA", nil), ("EC", "P-384")] as [(String, String?)])
  func otherKeysAreRefused(algorithm: String, group: String?) throws {
    let key = try PrivateKey.make(algorithm: algorithm, group: group)
    let certificate = try Authority.deviceTemplate(now: now)
      .signed(for: key.pointer, by: .authority(team.authority.certificate, team.authority.key))
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.certificate = certificate
    behaviour.key = key
    expectRefusal(
      try TLSEngine(.server(credentials: [device])),
      of: try ForeignPeer(behaviour, isServer: false),
      with: .certificateMissing
    )
    expectRefusal(
      try TLSEngine(.client(credentials: device)),
      of: try ForeignPeer(behaviour, isServer: true),
      with: .notTLS
    )
    #expect(throws: TLSError(.certificateInvalid, "The key is neither Ed25519 nor P-256")) {
      try certificate.verify(under: team.authority.certificate, now: now)
    }
  }

  /// A foreign peer that does everything right is admitted. Otherwise the tests above would prove nothing.
  @Test(arguments: [("ED25519", nil), ("EC", "P-256")] as [(String, String?)])
  func goodForeignPeersAreTaken(algorithm: String, group: String?) throws {
    let key = try PrivateKey.make(algorithm: algorithm, group: group)
    var template = Authority.deviceTemplate(now: now)
    template.notBefore = now + 23 * 3600
    let certificate = try template.signed(
      for: key.pointer,
      by: .authority(team.authority.certificate, team.authority.key)
    )
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.certificate = certificate
    behaviour.key = key
    for isServer in [false, true] {
      let peer = try ForeignPeer(behaviour, isServer: isServer)
      let session = try TLSEngine(isServer ? .client(credentials: device) : .server(credentials: [device]))
      #expect(peer.converse(with: session) == nil)
      #expect(try session.readAll() == Array("secret".utf8))
      #expect(try session.peer == key.deviceID)
    }
  }

  @Test(arguments: OddCertificate.allCases)
  func theSameIsRefusedWithoutAHandshake(_ odd: OddCertificate) throws {
    let certificate = try #require(try odd.behaviour(in: team).certificate)
    let error = #expect(throws: TLSError.self) {
      try certificate.verify(under: team.authority.certificate, now: now)
    }
    #expect(error?.reason == odd.reason)
  }

  @Test func aClientBelievesItselfInBeforeTheServerHasLooked() throws {
    let stranger = try TestTeam().device()
    // The names and the server are right, but the certificate is from another team.
    let client = try TLSEngine(
      .client(
        credentials: Credentials(
          key: stranger.key,
          certificate: stranger.certificate,
          authority: team.authority.certificate,
          discoveryKey: team.discoveryKey
        )
      )
    )
    let server = try TLSEngine(.server(credentials: [team.device()]))
    try server.receive(client.takeOutput())
    try client.receive(server.takeOutput())
    #expect(client.isEstablished, "Which is why nothing but hello is sent before accepted")
    #expect(throws: TLSError.self) { try server.receive(client.takeOutput()) }
    #expect(!server.isEstablished)
    try client.receive(server.takeOutput())
    let error = #expect(throws: TLSError.self) { try client.readAll() }
    #expect(error?.reason == .otherTeam)
  }
}
