// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import Testing

@testable import TLS

/// What a server sends to somebody who is not in its team: an alert of 7 bytes.
@Suite struct StrangerTests {
  private let team: TestTeam
  private let device: Credentials

  init() throws {
    team = try TestTeam()
    device = try team.device()
  }

  private func fatal(_ alert: Int32) -> [UInt8] { [21, 3, 3, 0, 2, 2, UInt8(alert)] }

  /// Returns everything that the server sends after the stranger's first message.
  private func answer(to behaviour: ForeignPeer.Behaviour, with reason: Reason) throws -> [UInt8] {
    let server = try TLSEngine(.server(credentials: [device]))
    let stranger = try ForeignPeer(behaviour, isServer: false)
    let error = #expect(throws: TLSError.self) { try server.receive(stranger.takeOutput()) }
    #expect(error?.reason == reason, "\(String(describing: error))")
    return server.takeOutput()
  }

  @Test func noServerNameGetsNoCertificate() throws {
    #expect(try answer(to: .init(), with: .otherTeam) == fatal(SSL_AD_UNRECOGNIZED_NAME))
  }

  @Test func foreignServerNamesGetNoCertificate() throws {
    let code = ServerName.make(key: device.serverNameKey)
    let names = [
      "localhost", String(repeating: "0", count: 45), ServerName.make(key: SystemRandom.bytes(32)),
      String(code.dropLast()), code + "0", String(code.dropFirst()) + "0", "x" + String(repeating: "é", count: 22),
    ]
    for name in names {
      var behaviour = ForeignPeer.Behaviour()
      behaviour.serverName = name
      #expect(try answer(to: behaviour, with: .otherTeam) == fatal(SSL_AD_UNRECOGNIZED_NAME), "\(name)")
    }
  }

  @Test func aClientOfAnotherTeamIsToldSo() throws {
    let pair = try SessionPair(client: TestTeam().device(), servers: [device])
    #expect(pair.sentByServer == fatal(SSL_AD_UNRECOGNIZED_NAME))
    #expect(pair.clientError?.reason == .otherTeam && pair.serverError?.reason == .otherTeam)
  }

  @Test func aServerWithoutTeamsAnswersNobody() throws {
    let pair = try SessionPair(client: device, servers: [])
    #expect(pair.sentByServer == fatal(SSL_AD_UNRECOGNIZED_NAME))
  }

  @Test(arguments: [[], ["http/1.1"], ["baton-join/1"], ["bato"]])
  func otherProtocolsAreRefused(_ protocols: [String]) throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.protocols = protocols
    #expect(try answer(to: behaviour, with: .notTLS) == fatal(SSL_AD_NO_APPLICATION_PROTOCOL))
  }

  @Test(arguments: [["baton/2"], ["http/1.1", "baton/11"]])
  func otherVersionsOfTheProtocolAreNamed(_ protocols: [String]) throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.protocols = protocols
    #expect(try answer(to: behaviour, with: .versionMismatch) == fatal(SSL_AD_NO_APPLICATION_PROTOCOL))
  }

  @Test func aServerOfAnotherVersionIsNamed() throws {
    let client = try TLSEngine(.client(credentials: device))
    let error = #expect(throws: TLSError.self) { try client.receive(fatal(SSL_AD_NO_APPLICATION_PROTOCOL)) }
    #expect(error?.reason == .versionMismatch)
  }

  @Test(arguments: [TLS1_2_VERSION, TLS1_1_VERSION])
  func olderVersionsAreRefused(version: Int32) throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.maximumVersion = version
    let answer = try answer(to: behaviour, with: .notTLS)
    #expect(answer.count == 7 && answer.first == 21 && answer.last == UInt8(SSL_AD_PROTOCOL_VERSION))
  }

  @Test func olderServersAreRefused() throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.maximumVersion = TLS1_2_VERSION
    let client = try TLSEngine(.client(credentials: device))
    #expect(try ForeignPeer(behaviour, isServer: true).converse(with: client)?.reason == .notTLS)
  }

  /// Such a server asks for our certificate, and gets none.
  @Test func serversWithoutTheProtocolAreRefused() throws {
    var behaviour = ForeignPeer.Behaviour().showing(device)
    behaviour.protocols = []
    let server = try ForeignPeer(behaviour, isServer: true)
    SSL_set_verify(server.ssl, SSL_VERIFY_PEER) { _, _ in 1 }
    let client = try TLSEngine(.client(credentials: device))
    #expect(server.converse(with: client)?.reason == .notTLS)
    #expect(SSL_get0_peer_certificate(server.ssl) == nil && !client.isEstablished)
  }

  @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", String(repeating: "\0", count: 100)])
  func whatIsNotTLSIsRefused(_ text: String) throws {
    for context in [
      try TLSContext.server(credentials: [device]), try TLSContext.client(credentials: device),
    ] {
      let session = try TLSEngine(context)
      let error = #expect(throws: TLSError.self) { try session.receive(Array(text.utf8)) }
      #expect(error?.reason == .notTLS)
      #expect(!session.isEstablished)
    }
  }

  @Test func randomBytesNeverEstablishAnything() throws {
    let context = try TLSContext.server(credentials: [device])
    var hello = try TLSEngine(.client(credentials: device)).takeOutput()
    for _ in 0..<500 {
      hello[Int.random(in: 0..<hello.count)] = .random(in: .min ... .max)
      let session = try TLSEngine(context)
      try? session.receive(hello)
      try? session.receive(SystemRandom.bytes(100))
      #expect(!session.isEstablished)
    }
  }
}
