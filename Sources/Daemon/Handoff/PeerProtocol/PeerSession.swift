// SPDX-License-Identifier: Apache-2.0

import Activity

/// What one side says and expects on one connection with a peer, without the connection (Protocol.md section 5).
///
/// Legal transitions: `opening → ready → ended`, and any state → `ended`. Late events after `ended` are normal.
package struct PeerSession: Sendable {
  /// The time without anything received from a peer after which the peer is asked for a sign of life. The kernel
  /// notices sooner that a machine has gone (`Sockets.configurePeerConnection`). This only finds a daemon that hangs,
  /// and idle machines need not wake up for it often.
  package static let pingInterval = Duration.seconds(600)
  /// The same on a connection through a relay, where the kernel only knows about the relay. With the two below, a peer
  /// that has gone is noticed within 30 s.
  package static let relayedPingInterval = Duration.seconds(18)
  /// How much longer the side with the greater epoch waits, so that one of the two asks, and not both at the same time.
  package static let pingCourtesy = Duration.seconds(2)
  /// The time after which a peer that has not answered a ping counts as gone.
  package static let pongTime = Duration.seconds(8)
  /// The time from asking a peer for a sign of life after the network changed until the peer counts as gone.
  package static let quickPongTime = Duration.seconds(2)

  package enum Event: Equatable, Sendable {
    /// The TLS handshake is complete. Its certificate identifies the peer.
    case opened
    case received(Message)
    /// Something arrived that this machine does not handle as a message: bytes of a stream.
    case receivedData
    case wake
    /// The peer may have disappeared without notice. It is asked for a sign of life, and has `quickPongTime` to
    /// answer.
    case probe
    /// This side ends the session for this reason.
    case leave(Reason)
    /// The connection was lost.
    case lost
  }

  package enum Effect: Equatable, Sendable {
    case send(SessionMessage)
    /// Both sides have accepted. From now on, messages are delivered.
    case ready(Hello)
    /// A message for another part.
    case deliver(Message)
    /// Close the connection when everything has been sent. This is the last effect of a session.
    case end(Reason)
    /// Send `.wake` at this instant, which replaces any earlier one.
    case wake(at: ContinuousClock.Instant)
  }

  private enum State: Equatable {
    case idle
    /// `hello` is the peer's, after it has arrived and was accepted.
    case opening(deadline: ContinuousClock.Instant, hello: Hello?)
    /// `answerDue` is when the peer counts as gone if nothing has arrived; nil if no answer is due.
    case ready(lastReceived: ContinuousClock.Instant, answerDue: ContinuousClock.Instant?)
    case ended
  }

  /// The versions of the protocol that this side speaks.
  package static let versions: ClosedRange<UInt64> = 1...1

  private let hello: Hello
  private var state = State.idle
  private var pings: UInt64 = 0
  /// The time without anything received after which this side asks for a sign of life.
  private var pingInterval: Duration

  /// - Parameters:
  ///   - hello: What this side says about itself.
  ///   - isRelayed: Whether the connection goes through a relay.
  package init(hello: Hello, isRelayed: Bool = false) {
    self.hello = hello
    pingInterval = isRelayed ? Self.relayedPingInterval : Self.pingInterval
  }

  package var isReady: Bool { if case .ready = state { true } else { false } }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch (state, event) {
    case (.ended, _): return []
    case (_, .lost): return end(.peerUnreachable)
    case (_, .leave(let reason)): return end(reason, saying: .bye(Bye(reason: reason)))
    case (_, .received(.session(.bye(let bye)))): return end(bye.reason)
    case (.opening, .received(.session(.refused(let refused)))): return end(refused.reason)
    case (.idle, .opened):
      let deadline = now + Limits.acceptTime
      state = .opening(deadline: deadline, hello: nil)
      return [.send(.hello(hello)), .wake(at: deadline)]
    case (.idle, .wake): return []
    case (.opening(let deadline, nil), .received(.session(.hello(let theirs)))):
      return receive(theirs, deadline: deadline)
    case (.opening(_, let theirs?), .received(.session(.accepted(let accepted)))):
      guard accepted.version == Self.common(hello, theirs) else { return violation() }
      return becomeReady(theirs, now)
    case (.opening(let deadline, _), .wake):
      return now < deadline
        ? [.wake(at: deadline)] : end(.handshakeTimedOut, saying: .bye(Bye(reason: .handshakeTimedOut)))
    case (.ready, .received(let message)):
      state = .ready(lastReceived: now, answerDue: nil)
      return receive(message, at: now)
    case (.ready, .receivedData):
      state = .ready(lastReceived: now, answerDue: nil)
      return []
    case (.ready(let lastReceived, let answerDue), .wake): return watch(lastReceived, answerDue, now)
    case (.ready(let lastReceived, let answerDue), .probe):
      return ping(lastReceived, answerDue: min(answerDue ?? now + Self.quickPongTime, now + Self.quickPongTime))
    case (.idle, .probe), (.opening, .probe): return []
    case (.idle, .received), (.idle, .receivedData), (.opening, .received), (.opening, .receivedData):
      return violation()
    case (.opening, .opened), (.ready, .opened): preconditionFailure("Opened twice")
    }
  }

  private mutating func receive(_ theirs: Hello, deadline: ContinuousClock.Instant) -> [Effect] {
    guard theirs.device.utf8.count <= Limits.deviceNameLength, theirs.minimum <= theirs.maximum else {
      return violation()
    }
    guard let version = Self.common(hello, theirs) else {
      return end(.versionMismatch, saying: .refused(Refused(reason: .versionMismatch)))
    }
    state = .opening(deadline: deadline, hello: theirs)
    return [.send(.accepted(Accepted(version: version)))]
  }

  private mutating func becomeReady(_ theirs: Hello, _ now: ContinuousClock.Instant) -> [Effect] {
    state = .ready(lastReceived: now, answerDue: nil)
    if theirs.epoch < hello.epoch { pingInterval += Self.pingCourtesy }
    return [.ready(theirs), .wake(at: now + pingInterval)]
  }

  /// A ping or pong moves the instant of the next ping, so that an idle machine does not wake up to find that none is
  /// due. Other messages, which can be many, leave that to the next wake-up.
  private mutating func receive(_ message: Message, at now: ContinuousClock.Instant) -> [Effect] {
    switch message {
    case .session(.ping(let ping)): [.send(.pong(Pong(number: ping.number))), .wake(at: now + pingInterval)]
    case .session(.pong): [.wake(at: now + pingInterval)]
    case .session(.hello), .session(.accepted), .session(.refused): violation()
    case .session(.bye(let bye)): end(bye.reason)
    case .session(.probe), .session(.probed), .session(.renamed): [.deliver(message)]
    case .stream, .handoff, .team, .index: [.deliver(message)]
    }
  }

  private mutating func watch(
    _ lastReceived: ContinuousClock.Instant,
    _ answerDue: ContinuousClock.Instant?,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    if let answerDue {
      return now < answerDue ? [.wake(at: answerDue)] : end(.peerTimedOut, saying: .bye(Bye(reason: .peerTimedOut)))
    }
    let due = lastReceived + pingInterval
    return now < due ? [.wake(at: due)] : ping(lastReceived, answerDue: now + Self.pongTime)
  }

  private mutating func ping(
    _ lastReceived: ContinuousClock.Instant,
    answerDue: ContinuousClock.Instant
  ) -> [Effect] {
    pings += 1
    state = .ready(lastReceived: lastReceived, answerDue: answerDue)
    return [.send(.ping(Ping(number: pings))), .wake(at: answerDue)]
  }

  private mutating func violation() -> [Effect] {
    end(.protocolViolation, saying: .bye(Bye(reason: .protocolViolation)))
  }

  private mutating func end(_ reason: Reason, saying message: SessionMessage? = nil) -> [Effect] {
    let wasOpen = state != .idle
    state = .ended
    return (wasOpen ? message.map { [.send($0)] } ?? [] : []) + [.end(reason)]
  }

  /// Returns the greatest version that both sides speak; nil if there is none.
  private static func common(_ ours: Hello, _ theirs: Hello) -> UInt64? {
    let version = min(ours.maximum, theirs.maximum)
    return version >= max(ours.minimum, theirs.minimum) ? version : nil
  }
}
