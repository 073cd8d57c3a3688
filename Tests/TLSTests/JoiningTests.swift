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
    let said = try TLSSession(.joining(keys, serverNameKey: serverNameKey)).takeOutput()
    #expect(server.greeting(said) == .forTeam(.joining))
    for isFirst in [true, false] {
      let session = try TLSSession(server)
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
    let said = try TLSSession(.joining(keys, serverNameKey: serverNameKey)).takeOutput()
    #expect(server.greeting(said) == .forNoTeam)
    let session = try TLSSession(server)
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
      let session = try TLSSession(server())
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
      let session = try TLSSession(server())
      #expect(try ForeignPeer(behaviour, isServer: false).converse(with: session) != nil)
      #expect(!session.isEstablished)
    }
  }

  /// A server that does not know the secret cannot pass for the administrator, no matter what it shows.
  @Test func aServerWithACertificateInsteadIsRefused() throws {
    var behaviour = ForeignPeer.Behaviour().showing(administrator)
    behaviour.protocols = ["baton-join/1"]
    let client = try TLSSession(.joining(keys, serverNameKey: serverNameKey))
    let error = try ForeignPeer(behaviour, isServer: true).converse(with: client)
    #expect(error?.reason == .invitationUnknown)
    #expect(!client.isEstablished)
    #expect(throws: TLSError.self) { try client.readAll() }
  }
}
