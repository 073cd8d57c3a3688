// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL
import TLS
import Testing

@Suite struct TLSSessionTests {
  private let team: TestTeam
  private let a: Credentials
  private let b: Credentials

  init() throws {
    team = try TestTeam()
    a = try team.device()
    b = try team.device()
  }

  @Test func devicesOfATeamKnowEachOther() throws {
    let pair = try SessionPair(client: a, servers: [b], expecting: b.device)
    #expect(pair.client.isEstablished && pair.server.isEstablished)
    #expect(pair.client.peer == b.device)
    #expect(pair.server.peer == a.device)
    #expect(try pair.server.team == team.id)
    #expect(pair.server.application == .peer && pair.server.invitation == nil)
  }

  @Test func aServerShowsEachTeamItsOwnCertificate() throws {
    let teams = [try TestTeam(), team, try TestTeam()]
    let servers = try teams.map { try $0.device() }
    for (team, server) in zip(teams, servers) {
      let pair = try SessionPair(client: team.device(), servers: servers, expecting: server.device)
      #expect(pair.client.isEstablished && pair.client.peer == server.device)
      #expect(try pair.server.team == team.id)
    }
  }

  @Test func anotherDeviceThanTheExpectedIsRefused() throws {
    let pair = try SessionPair(client: a, servers: [b], expecting: a.device)
    #expect(pair.clientError?.reason == .otherTeam)
    #expect(
      pair.serverError?.reason == .otherTeam && pair.sentByServer == Greeting.refusal,
      "It shows itself to nobody"
    )
  }

  @Test func nothingFollowsTheHandshake() throws {
    let pair = try SessionPair(client: a, servers: [b])
    #expect(pair.sentByServer.count < 1500, "A ticket would be another 250 bytes, and a chain 400")
    #expect(pair.server.pendingOutput == 0)
    // At most two alerts could follow. The client has nothing to read either.
    #expect(try pair.client.readAll().isEmpty && pair.server.readAll().isEmpty)
  }

  @Test(arguments: [1, 100, 16384, 16385, 65536, 262_144])
  func bytesArriveAsTheyWere(chunk: Int) throws {
    var pair = try SessionPair(client: a, servers: [b])
    let bytes = SystemRandom.bytes(chunk == 1 ? 1000 : 600_000)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      let part = Array(bytes[start..<min(start + chunk, bytes.count)])
      try pair.client.write(part)
      try pair.server.write(part.reversed())
    }
    pair.exchange()
    #expect(try pair.server.readAll(atOnce: chunk) == bytes)
    #expect(try pair.client.readAll().count == bytes.count)
    #expect(pair.clientError == nil && pair.serverError == nil)
  }

  @Test func ciphertextMayComeByteByByte() throws {
    let client = try TLSEngine(.client(credentials: a))
    let server = try TLSEngine(.server(credentials: [b]))
    while client.pendingOutput + server.pendingOutput > 0 {
      for byte in client.takeOutput() { try server.receive([byte]) }
      for byte in server.takeOutput() { try client.receive([byte]) }
    }
    try client.write(Array("a secret of some length".utf8))
    var received: [UInt8] = []
    for byte in client.takeOutput() {
      try server.receive([byte])
      received += try server.readAll()
    }
    #expect(received == Array("a secret of some length".utf8))
  }

  @Test func ciphertextMayBeReceivedInPlace() throws {
    let pair = try SessionPair(client: a, servers: [b])
    let bytes = SystemRandom.bytes(300_000)
    try pair.client.write(bytes)
    var received: [UInt8] = []
    while pair.client.pendingOutput > 0 {
      let count = try pair.server.receive(upTo: 50_000) { space in
        pair.client.withOutput { output in
          let part = UnsafeRawBufferPointer(rebasing: output.prefix(space.count))
          space.copyMemory(from: part)
          return part.count
        }
      }
      #expect(count > 0)
      received += try pair.server.readAll(atOnce: 1000)
    }
    #expect(received == bytes)
    #expect(try pair.server.receive(upTo: 100) { _ in 0 } == 0)
  }

  @Test func outputIsTakenInParts() throws {
    let pair = try SessionPair(client: a, servers: [b])
    try pair.client.write(Array("in parts".utf8))
    while pair.client.pendingOutput > 0 {
      let before = pair.client.pendingOutput
      let part = pair.client.takeOutput(atMost: 5)
      #expect(part.count == min(5, before) && pair.client.pendingOutput == before - part.count)
      try pair.server.receive(part)
    }
    #expect(try pair.server.readAll() == Array("in parts".utf8))
  }

  @Test func anEndIsSaidAndATruncationIsNot() throws {
    var pair = try SessionPair(client: a, servers: [b])
    try pair.client.write([1, 2, 3])
    pair.exchange()
    #expect(try pair.server.readAll() == [1, 2, 3])
    #expect(!pair.server.isEnded, "What ends here was cut off")
    try pair.client.write([4])
    pair.client.close()
    pair.exchange()
    #expect(try pair.server.readAll() == [4])
    #expect(pair.server.isEnded)
    try pair.server.write([5])
    pair.exchange()
    #expect(try pair.client.readAll() == [5], "The other direction goes on")
    #expect(throws: TLSError.self) { try pair.client.write([6]) }
  }

  @Test func whatWasTamperedWithEndsTheSessionAfterWhatCameBefore() throws {
    let pair = try SessionPair(client: a, servers: [b])
    try pair.client.write([1])
    let good = pair.client.takeOutput()
    try pair.client.write([2])
    var bad = pair.client.takeOutput()
    bad[bad.count - 1] ^= 1
    try pair.server.receive(good + bad)
    var buffer: [UInt8] = [0, 0, 0]
    let count = try buffer.withUnsafeMutableBytes { try pair.server.read(into: $0) }
    #expect(count == 1 && buffer[0] == 1)
    for _ in 0..<2 {
      let error = #expect(throws: TLSError.self) { try pair.server.readAll() }
      #expect(error?.reason == .protocolViolation)
    }
    #expect(pair.server.pendingOutput > 0, "The alert")
    #expect(throws: TLSError.self) { try pair.server.receive([0]) }
    #expect(throws: TLSError.self) { try pair.server.write([0]) }
  }

  @Test func aReplayedRecordIsRefused() throws {
    let pair = try SessionPair(client: a, servers: [b])
    try pair.client.write([1])
    let record = pair.client.takeOutput()
    try pair.server.receive(record + record)
    var buffer: [UInt8] = [0, 0, 0]
    #expect(try buffer.withUnsafeMutableBytes { try pair.server.read(into: $0) } == 1)
    #expect(throws: TLSError.self) { try pair.server.readAll() }
  }

  @Test func nothingIsWrittenBeforeTheHandshakeIsFinished() throws {
    let client = try TLSEngine(.client(credentials: a))
    #expect(throws: TLSError.self) { try client.write([1]) }
    #expect(try client.readAll().isEmpty)
  }

  @Test func keysMayBeRenewed() throws {
    let peer = try ForeignPeer(ForeignPeer.Behaviour().showing(a), isServer: false)
    let session = try TLSEngine(.server(credentials: [b]))
    #expect(peer.converse(with: session, saying: "before ") == nil)
    SSL_key_update(peer.ssl, SSL_KEY_UPDATE_REQUESTED)
    peer.write("after")
    #expect(peer.converse(with: session, saying: "") == nil)
    #expect(try session.readAll() == Array("before after".utf8))
    try session.write(Array("answer".utf8))
    peer.receive(session.takeOutput())
    #expect(peer.read() == "answer")
  }

  /// With more records than one byte of the number counts, and keys that are replaced in the middle.
  @Test(arguments: ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"])
  func recordsAreThoseOfOpenSSL(suite: String) throws {
    var behaviour = ForeignPeer.Behaviour().showing(a)
    behaviour.cipherSuites = suite
    let peer = try ForeignPeer(behaviour, isServer: false)
    let session = try TLSEngine(.server(credentials: [b]))
    #expect(peer.converse(with: session, saying: "first") == nil)
    #expect(try session.readAll() == Array("first".utf8))
    for number in 0..<600 {
      if number == 300 { SSL_key_update(peer.ssl, SSL_KEY_UPDATE_REQUESTED) }
      peer.write("to here")
      try session.receive(peer.takeOutput())
      #expect(try session.readAll() == Array("to here".utf8))
      try session.write(Array("and back".utf8))
      peer.receive(session.takeOutput())
      #expect(peer.read() == "and back")
    }
    session.close()
    peer.receive(session.takeOutput())
    #expect(peer.read().isEmpty && peer.error == nil)
  }

  /// The server's first answer asks for another key share, so the client's first message comes twice.
  @Test func aSecondClientHelloIsTaken() throws {
    var behaviour = ForeignPeer.Behaviour().showing(a)
    behaviour.groups = "X448:X25519"
    let peer = try ForeignPeer(behaviour, isServer: false)
    let session = try TLSEngine(.server(credentials: [b]))
    #expect(peer.converse(with: session) == nil)
    #expect(try session.readAll() == Array("secret".utf8) && session.peer == a.device)
  }
}
