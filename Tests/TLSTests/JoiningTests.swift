// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import TLS

/// The handshake that proves an invitation.
@Suite struct JoiningTests {
  private let team: TestTeam
  private let administrator: Credentials
  private let serverNameKey = SystemRandom.bytes(32)
  private let keys = InvitationKeys(identity: SystemRandom.bytes(16), preSharedKey: SystemRandom.bytes(32))

  init() throws {
    team = try TestTeam()
    administrator = try team.device()
  }

  private func server() throws -> TLSContext {
    let (id, keys) = (try team.id, keys)
    return try .server(
      credentials: [administrator],
      joinable: [(id, serverNameKey)],
      invitation: { $0 == id && $1 == keys.identity ? keys.preSharedKey : nil }
    )
  }

  @Test func whoHasTheInvitationIsLetIn() throws {
    var pair = try SessionPair(client: .joining(keys, serverNameKey: serverNameKey), server: server())
    #expect(pair.client.isEstablished && pair.server.isEstablished)
    #expect(pair.server.application == .join && pair.client.application == .join)
    #expect(try pair.server.team == team.id)
    #expect(pair.server.invitation == keys.identity)
    #expect(pair.server.peer == nil && pair.client.peer == nil && pair.client.team == nil)
    #expect(pair.sentByServer.count < 400, "No certificate, no ticket")
    try pair.client.write([1])
    try pair.server.write([2])
    pair.exchange()
    #expect(try pair.server.readAll() == [1] && pair.client.readAll() == [2])
  }

  @Test func aRecordedNameIsGoodOnce() throws {
    let server = try server()
    let said = try TLSEngine(.joining(keys, serverNameKey: serverNameKey)).takeOutput()
    #expect(server.greeting(said) == .forTeam(.joining))
    for isFirst in [true, false] {
      let session = try TLSEngine(server)
      try? session.receive(said)
      #expect((session.takeOutput() == Greeting.refusal) == !isFirst)
    }
  }

  @Test func withoutInvitationsATeamIsNotToldFromOthers() throws {
    let id = try team.id
    let server = try TLSContext.server(
      credentials: [administrator],
      joinable: [(id, serverNameKey)],
      hasInvitations: { _ in false },
      invitation: { [keys] _, _ in keys.preSharedKey }
    )
    let said = try TLSEngine(.joining(keys, serverNameKey: serverNameKey)).takeOutput()
    #expect(server.greeting(said) == .forNoTeam)
    let session = try TLSEngine(server)
    #expect(throws: TLSError.self) { try session.receive(said) }
    #expect(session.takeOutput() == Greeting.refusal)
  }

  @Test func peersAreLetInBesideIt() throws {
    let pair = try SessionPair(client: .client(credentials: team.device()), server: server())
    #expect(pair.server.isEstablished && pair.server.application == .peer)
  }

  @Test func anUnknownInvitationIsRefused() throws {
    let other = InvitationKeys(identity: SystemRandom.bytes(16), preSharedKey: keys.preSharedKey)
    let pair = try SessionPair(client: .joining(other, serverNameKey: serverNameKey), server: server())
    #expect(pair.clientError?.reason == .invitationUnknown && pair.serverError?.reason == .invitationUnknown)
    #expect(!pair.client.isEstablished && !pair.server.isEstablished)
  }

  /// A ClientHello has room for hundreds of identities, and each that is looked for costs the disk.
  @Test(arguments: [(500, 1), (150, 15), (100, 17), (20, 128), (100, 16)])
  func oneIdentityOfTheRightLengthIsLookedFor(count: Int, length: Int) throws {
    let (id, counter) = (try team.id, Counter())
    let server = try TLSContext.server(
      credentials: [administrator],
      joinable: [(id, serverNameKey)],
      invitation: { _, _ in
        counter.count += 1
        return nil
      }
    )
    let said = try TLSEngine(.joining(keys, serverNameKey: serverNameKey)).takeOutput()
    let changed = naming((0..<count).map { _ in SystemRandom.bytes(length) }, in: said)
    #expect(changed.count <= Limits.clientHelloLength + 5)
    #expect(server.greeting(changed) == .forTeam(.joining))
    let session = try TLSEngine(server)
    let error = #expect(throws: TLSError.self) { try session.receive(changed) }
    #expect(error?.reason == .invitationUnknown)
    #expect(counter.count == (length == 16 ? 1 : 0))
  }

  /// A client that is asked for another ClientHello names its identity twice.
  @Test func anInvitationIsGoodAfterARetry() throws {
    var behaviour = ForeignPeer.Behaviour()
    behaviour.invitation = keys
    behaviour.protocols = ["baton-join/1"]
    behaviour.serverName = ServerName.make(key: serverNameKey)
    behaviour.groups = "P-384:X25519"
    let (id, counter) = (try team.id, Counter())
    let server = try TLSContext.server(
      credentials: [administrator],
      joinable: [(id, serverNameKey)],
      invitation: { [keys] _, identity in
        counter.count += 1
        return identity == keys.identity ? keys.preSharedKey : nil
      }
    )
    let session = try TLSEngine(server)
    let peer = try ForeignPeer(behaviour, isServer: false)
    let error = peer.converse(with: session)
    #expect(error == nil, "\(String(describing: error)), \(String(describing: peer.error))")
    #expect(session.isEstablished && session.invitation == keys.identity)
    #expect(counter.count == 1)
  }

  @Test func anotherKeyForTheSameInvitationIsRefused() throws {
    let other = InvitationKeys(identity: keys.identity, preSharedKey: SystemRandom.bytes(32))
    let pair = try SessionPair(client: .joining(other, serverNameKey: serverNameKey), server: server())
    #expect(pair.serverError != nil && pair.clientError != nil)
    #expect(!pair.client.isEstablished && !pair.server.isEstablished)
    #expect(pair.server.invitation == nil)
  }

  @Test func anInvitationOfAnotherTeamIsForeign() throws {
    let pair = try SessionPair(client: .joining(keys, serverNameKey: SystemRandom.bytes(32)), server: server())
    #expect(pair.clientError?.reason == .invitationForeign)
    #expect(pair.sentByServer.count == 7, "An alert")
  }

  @Test func aTeamThatIsNotAdministeredHereIsForeign() throws {
    let server = try TLSContext.server(credentials: [administrator])
    let pair = try SessionPair(client: .joining(keys, serverNameKey: serverNameKey), server: server)
    #expect(pair.clientError?.reason == .invitationForeign)
  }

  /// An invitation is not a membership.
  @Test func anInvitationUnderAPeersNameIsRefused() throws {
    for protocols in [["baton/1"], ["baton-join/1"], ["baton/1", "baton-join/1"]] {
      var behaviour = ForeignPeer.Behaviour()
      behaviour.invitation = keys
      behaviour.protocols = protocols
      behaviour.serverName = ServerName.make(key: administrator.serverNameKey)
      let session = try TLSEngine(server())
      let error = try ForeignPeer(behaviour, isServer: false).converse(with: session)
      #expect(error?.reason == (protocols == ["baton-join/1"] ? .notTLS : .certificateMissing))
      #expect(!session.isEstablished && session.invitation == nil)
    }
  }

  /// A membership is not an invitation.
  @Test func aPeerUnderTheInvitationsNameIsRefused() throws {
    for protocols in [["baton/1"], ["baton-join/1"]] {
      var behaviour = try ForeignPeer.Behaviour().showing(team.device())
      behaviour.protocols = protocols
      behaviour.serverName = ServerName.make(key: serverNameKey)
      let session = try TLSEngine(server())
      #expect(try ForeignPeer(behaviour, isServer: false).converse(with: session) != nil)
      #expect(!session.isEstablished)
    }
  }

  /// A server that does not know the secret cannot pass for the administrator, no matter what it shows.
  @Test func aServerWithACertificateInsteadIsRefused() throws {
    var behaviour = ForeignPeer.Behaviour().showing(administrator)
    behaviour.protocols = ["baton-join/1"]
    let client = try TLSEngine(.joining(keys, serverNameKey: serverNameKey))
    let error = try ForeignPeer(behaviour, isServer: true).converse(with: client)
    #expect(error?.reason == .invitationUnknown)
    #expect(!client.isEstablished)
    #expect(throws: TLSError.self) { try client.readAll() }
  }
}

private final class Counter { var count = 0 }

/// A ClientHello that names other identities (RFC 8446 section 4.2.11), with one binder.
private func naming(_ identities: [[UInt8]], in hello: [UInt8]) -> [UInt8] {
  func number(at place: Int) -> Int { Int(hello[place]) << 8 | Int(hello[place + 1]) }
  func vector(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
  }
  // The headers of record and message, the version and the random bytes.
  let begin = 5 + 4
  var place = begin + 2 + 32
  place += 1 + Int(hello[place])
  place += 2 + number(at: place)
  place += 1 + Int(hello[place])
  let extensions = place
  place += 2
  // `pre_shared_key` is the last.
  while number(at: place) != 41 { place += 4 + number(at: place + 2) }
  let body = vector(identities.flatMap { vector($0) + [0, 0, 0, 0] }) + vector([32] + [UInt8](repeating: 0, count: 32))
  let kept = Array(hello[(extensions + 2)..<place])
  let message = Array(hello[begin..<extensions]) + vector(kept + [0, 41] + vector(body))
  return [22, 3, 1] + vector([1, 0] + vector(message))
}
