// SPDX-License-Identifier: Apache-2.0

import Activity
import Glibc
import Handoff
import TLS
import TestSupport

/// A device's connection to a ``NATSServer``, which blocks.
final class NATSDevice {
  let key: PrivateKey
  private let descriptor: Int32
  private let token: String
  private var session: NATSSession
  private var line: ArraySlice<UInt8> = []
  private var pongs = 0
  private(set) var messages: [(subject: String, payload: [UInt8])] = []
  private(set) var failure: NATSSession.Failure?

  /// Connects, and waits until the server has accepted or refused it.
  ///
  /// - Parameters:
  ///   - account: That of the device.
  ///   - issuer: Who signs its token; nil for the account.
  ///   - issued, lifetime: When the token was made, and how long from now on it is valid, in seconds.
  ///   - subscription: What it hears.
  init(
    _ server: NATSServer,
    account: PrivateKey,
    rights: NATSToken.Rights,
    name: String,
    key: PrivateKey? = nil,
    issuer: PrivateKey? = nil,
    issued: Int64? = nil,
    lifetime: Int64 = 60,
    subscription: String = "b.adv.*",
    payloadLimit: Int = Limits.rendezvousPayloadLength
  ) throws {
    session = NATSSession(usesTLS: false, payloadLimit: payloadLimit, at: .now)
    self.key = try key ?? PrivateKey.make()
    let now = NATSServer.now()
    let token = NATSToken(
      rights,
      name: name,
      subject: try self.key.rawPublicKey,
      issued: issued ?? now - 120,
      expires: now + lifetime
    )
    self.token = try token.text(issuer: account.rawPublicKey, id: "user \(name)", sign: (issuer ?? account).sign)
    descriptor = try RawSocket.connect(port: server.port)
    try run { session.isReady }
    if session.isReady { try subscribe(subscription) }
  }

  /// A device with the rights of one.
  convenience init(
    _ server: NATSServer,
    account: Int = 0,
    name: String = "a",
    key: PrivateKey? = nil,
    issuer: PrivateKey? = nil,
    issued: Int64? = nil,
    lifetime: Int64 = 60
  ) throws {
    try self.init(
      server,
      account: server.accounts[account],
      rights: RendezvousSubject.rights(name),
      name: name,
      key: key,
      issuer: issuer,
      issued: issued,
      lifetime: lifetime
    )
  }

  deinit { close(descriptor) }

  func handle(_ event: NATSSession.Event) throws {
    for effect in session.handle(event, at: .now) {
      switch effect {
      case .send(let bytes):
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
          guard count > 0 else { throw TestFailure("send: \(errno)") }
          rest = rest.dropFirst(count)
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
      guard count >= 0 || errno == ECONNRESET else { throw TestFailure("The server said nothing") }
      let bytes = Array(buffer.prefix(max(0, count)))
      // The answer can come in two pieces.
      line += bytes
      while let end = line.firstIndex(of: 0x0A) {
        if line[..<end].starts(with: "PONG".utf8) { pongs += 1 }
        line = line[(end + 1)...]
      }
      try handle(bytes.isEmpty ? .closed : .received(bytes))
    }
  }

  /// Waits until the server has answered what comes after the subscription.
  func subscribe(_ subjects: String...) throws {
    for subject in subjects { try handle(.subscribe(subject: subject)) }
    try handle(.probe)
    let before = pongs
    try run { pongs > before }
  }

  func publish(_ subject: String, _ text: String) throws {
    try handle(.publish(subject: subject, payload: Array(text.utf8)))
  }

  func hear(_ count: Int) throws -> [String] {
    try run { messages.count >= count }
    return messages.map { "\($0.subject) \(String(decoding: $0.payload, as: UTF8.self))" }
  }
}
