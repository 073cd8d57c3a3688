// SPDX-License-Identifier: Apache-2.0

import Activity

/// One connection to a NATS server, without its socket: what to say, and when to give up.
///
/// `connecting → securing → authenticating → ready`, and `ended` from each of them.
package struct NATSSession: Sendable {
  /// The pause after which a server is asked for a sign of life.
  static let rendezvousIdleTime = Duration.seconds(60)

  package typealias Instant = ContinuousClock.Instant

  /// Why a connection has ended.
  package enum Failure: Error, Equatable, Sendable {
    /// The server did not answer in time.
    case timedOut
    /// The connection was closed, without a word.
    case closed
    /// The server does not want what this machine wants: TLS, or a signature.
    case unsuitable(String)
    /// The server does not accept this machine, for now.
    case refused
    /// The team's administrator has revoked this machine's access.
    case revoked
    /// The access is too old.
    case expired
    /// This machine did not take what came fast enough.
    case slowConsumer
    /// The server has as many connections as it may.
    case full
    /// The server stops.
    case leaving
    case malformed(String)
  }

  package enum Event: Equatable {
    case received([UInt8])
    /// TLS stands, and the server has proved its name.
    case secured
    /// The answer to ``Effect/authenticate(nonce:)``.
    case authenticated(token: String, signature: [UInt8])
    /// Sent to the subscribers of the subject. It is dropped before the session is ready.
    case publish(subject: String, payload: [UInt8])
    /// The same, with a subject for the answer.
    case request(subject: String, reply: String, payload: [UInt8])
    case subscribe(subject: String)
    /// The network has changed: ask the server for a sign of life now.
    case probe
    case closed
    case wake
  }

  package enum Effect: Equatable {
    case send([UInt8])
    /// Begin TLS on the connection.
    case secure
    /// Sign the nonce with the device's user key.
    case authenticate(nonce: String)
    /// The server has accepted this machine. Nothing was published or subscribed before.
    case ready
    case message(subject: String, payload: [UInt8])
    /// Read nothing before this instant, because the server says too much.
    case rest(until: Instant)
    /// Close the connection. Nothing follows.
    case end(Failure)
    /// Send `.wake` at this instant. Nil: not needed.
    case wake(at: Instant?)
  }

  private enum State: Equatable { case connecting, securing, authenticating, ready, ended }

  private let usesTLS: Bool
  private var state = State.connecting
  private var decoder = NATSDecoder()
  private var subscriptions = 0
  /// When the connection ends, unless something is heard.
  private var deadline: Instant
  /// When the server is asked for a sign of life.
  private var nextPing: Instant?
  /// What is left of the rate at which the server is listened to.
  private var budget: TokenBucket

  /// - Parameters:
  ///   - usesTLS: Whether the connection must be secure. Only tests do without.
  ///   - payloadLimit: The maximum length of a payload that the server sends, in bytes.
  package init(usesTLS: Bool = true, payloadLimit: Int = Limits.rendezvousPayloadLength, at now: Instant) {
    self.usesTLS = usesTLS
    decoder = NATSDecoder(payloadLimit: payloadLimit)
    budget = TokenBucket(Limits.rendezvousMessageRate, at: now)
    deadline = now + Limits.rendezvousReplyTime
  }

  /// Whether the server has accepted this machine.
  package var isReady: Bool { state == .ready }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard state != .ended else { return [] }
    var effects: [Effect] = []
    do throws(Failure) {
      effects = try respond(to: event, at: now)
    } catch {
      state = .ended
      return [.end(error), .wake(at: nil)]
    }
    return effects + [.wake(at: [deadline, nextPing].compactMap(\.self).min())]
  }

  private mutating func respond(to event: Event, at now: Instant) throws(Failure) -> [Effect] {
    switch event {
    case .received(let bytes):
      let messages: [NATSMessage]
      do throws(NATSDecoder.Malformed) { messages = try decoder.receive(bytes) } catch { throw .malformed(error.why) }
      var effects: [Effect] = []
      for message in messages { effects += try hear(message, at: now) }
      guard state != .securing || decoder.isAtStart else { throw .malformed(Self.early) }
      budget.charge(Double(messages.count), at: now)
      let ready = budget.ready(at: now)
      return ready > now ? effects + [.rest(until: ready)] : effects
    case .secured:
      guard state == .securing else { return [] }
      return try authenticate()
    case .authenticated(let token, let signature):
      guard state == .authenticating else { return [] }
      // The server answers the second one if it accepts the first.
      return [.send(NATSCommand.connect(token: token, signature: signature).bytes + NATSCommand.ping.bytes)]
    case .publish(let subject, let payload):
      guard state == .ready else { return [] }
      return [.send(NATSCommand.publish(subject: subject, payload: payload).bytes)]
    case .request(let subject, let reply, let payload):
      guard state == .ready else { return [] }
      return [.send(NATSCommand.publish(subject: subject, reply: reply, payload: payload).bytes)]
    case .probe:
      guard state == .ready else { return [] }
      nextPing = nil
      deadline = min(deadline, now + Limits.rendezvousReplyTime)
      return [.send(NATSCommand.ping.bytes)]
    case .subscribe(let subject):
      guard state == .ready else { return [] }
      // Checked: a machine subscribes a few times in a session.
      subscriptions += 1
      return [.send(NATSCommand.subscribe(subject: subject, subscription: subscriptions).bytes)]
    case .closed: throw .closed
    case .wake:
      guard now < deadline else { throw .timedOut }
      guard let nextPing, nextPing <= now else { return [] }
      self.nextPing = nil
      deadline = now + Limits.rendezvousReplyTime
      return [.send(NATSCommand.ping.bytes)]
    }
  }

  private var nonce: String?

  private static let early = "it sent something between INFO and TLS"

  private mutating func hear(_ message: NATSMessage, at now: Instant) throws(Failure) -> [Effect] {
    // It would count as said by the server that has proved itself.
    if state == .securing { throw .malformed(Self.early) }
    if state == .connecting { try check(first: message) }
    switch message {
    case .info(let info):
      if info.isLeaving { throw .leaving }
      guard state == .connecting else { return [] }
      nonce = info.nonce
      guard usesTLS else { return try authenticate() }
      guard info.requiresTLS else { throw .unsuitable("it doesn't use TLS") }
      state = .securing
      return [.secure]
    case .pong:
      stayAlive(now)
      guard state == .authenticating else { return [] }
      state = .ready
      return [.ready]
    case .ping:
      if state == .ready { stayAlive(now) }
      return [.send(NATSCommand.pong.bytes)]
    case .message(let subject, _, let payload):
      guard state == .ready else { throw .malformed("a message that wasn't requested") }
      stayAlive(now)
      return [.message(subject: subject, payload: payload)]
    case .ok: return []
    case .error(let text):
      // A subject that this machine may not use. The connection stays.
      if text.lowercased().starts(withBytesOf: "permissions violation") { return [] }
      throw Self.failure(text)
    }
  }

  /// Before TLS, anyone on the way can say anything. So nothing but INFO counts, and nobody else's words are believed.
  private func check(first message: NATSMessage) throws(Failure) {
    switch message {
    case .info: break
    case .error(let text):
      guard Self.failure(text) == .full else {
        throw .unsuitable("it refused the connection before proving its identity")
      }
    default: throw .malformed("it doesn't start with INFO")
    }
  }

  private mutating func authenticate() throws(Failure) -> [Effect] {
    guard let nonce else { throw .unsuitable("it doesn't ask for a signature") }
    state = .authenticating
    return [.authenticate(nonce: nonce)]
  }

  private mutating func stayAlive(_ now: Instant) {
    nextPing = now + Self.rendezvousIdleTime
    deadline = now + Self.rendezvousIdleTime + Limits.rendezvousReplyTime
  }

  private static func failure(_ text: String) -> Failure {
    switch text.lowercased() {
    case "user authentication revoked": .revoked
    case "user authentication expired", "account authentication expired": .expired
    case "slow consumer": .slowConsumer
    case "maximum connections exceeded", "maximum account active connections exceeded": .full
    case "authorization violation", "authentication timeout", "authorization timeout": .refused
    case let text: .unsuitable("it reported: \(Printable.text(text, limit: 100))")
    }
  }
}
