import Activity
import Foundation
import Rendezvous
import TLS
import TestSupport
import Testing

/// What a real `nats-server` makes of the tokens and of the session.
struct NATSServerTests {
  /// A device's connection, which blocks.
  private final class Device {
    private let descriptor: Int32
    private let key: PrivateKey
    private let token: String
    private var session = NATSSession(usesTLS: false, at: .now)
    private(set) var messages: [(subject: String, payload: [UInt8])] = []
    private(set) var failure: NATSSession.Failure?

    init(
      _ server: NATSServer,
      account: Int = 0,
      name: String = "a",
      issuer: PrivateKey? = nil,
      lifetime: Int64 = 60
    ) throws {
      key = try PrivateKey.make()
      let account = server.accounts[account]
      let rights = NATSToken.Rights.user(
        publish: ["b.adv.\(name)", "b.to.*.\(name)"],
        subscribe: ["b.adv.*", "b.to.\(name).*"]
      )
      let now = NATSServer.now()
      let token = NATSToken(
        rights,
        name: name,
        subject: try key.rawPublicKey,
        issued: now - 120,
        expires: now + lifetime
      )
      self.token = try token.text(issuer: account.rawPublicKey, id: "user \(name)", sign: (issuer ?? account).sign)
      descriptor = try RawSocket.connect(port: server.port)
      try run { session.isReady }
      if session.isReady { try handle(.subscribe(subject: "b.adv.*")) }
    }

    deinit { close(descriptor) }

    func handle(_ event: NATSSession.Event) throws {
      for effect in session.handle(event, at: .now) {
        switch effect {
        case .send(let bytes):
          guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TestFailure("send")
          }
        case .authenticate(let nonce):
          try handle(.authenticated(token: token, signature: try key.sign(Array(nonce.utf8))))
        case .message(let subject, let payload): messages.append((subject, payload))
        case .end(let failure): self.failure = failure
        case .secure, .ready, .rest, .wake: break
        }
      }
    }

    /// Until the condition holds, or the connection ends.
    func run(until condition: () -> Bool) throws {
      while !condition(), failure == nil {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw TestFailure("The server said nothing") }
        try handle(count == 0 ? .closed : .received(Array(buffer.prefix(count))))
      }
    }

    func publish(_ subject: String, _ text: String) throws {
      try handle(.publish(subject: subject, payload: Array(text.utf8)))
    }

    func hear(_ count: Int) throws -> [String] {
      try run { messages.count >= count }
      return messages.map { "\($0.subject) \(String(decoding: $0.payload, as: UTF8.self))" }
    }
  }

  @Test func devicesOfATeamHearEachOtherAndNobodyElse() throws {
    let server = try NATSServer()
    let (first, second) = (try Device(server, name: "a"), try Device(server, name: "b"))
    let stranger = try Device(server, account: 1, name: "s")
    let neighbour = try Device(server, account: 1, name: "t")
    try first.publish("b.adv.a", "one")
    // In the name of another device of the team: the server does not pass it on.
    try first.publish("b.adv.b", "forged")
    try first.publish("b.adv.a", "two")
    #expect(try second.hear(2) == ["b.adv.a one", "b.adv.a two"])
    try neighbour.publish("b.adv.t", "theirs")
    #expect(try stranger.hear(1) == ["b.adv.t theirs"])
    #expect(first.messages.isEmpty)
  }

  @Test func whoseTokenIsNotTheAccountsIsRefused() throws {
    let server = try NATSServer()
    let other = try Device(server, issuer: server.accounts[1])
    #expect(other.failure == .refused)
    let late = try Device(server, lifetime: -60)
    #expect(late.failure == .refused || late.failure == .expired)
  }

  @Test func aTokenThatExpiresEndsTheConnectionByName() throws {
    let server = try NATSServer()
    let device = try Device(server, lifetime: 4)
    #expect(device.failure == nil)
    try device.run { false }
    #expect(device.failure == .expired)
  }
}
