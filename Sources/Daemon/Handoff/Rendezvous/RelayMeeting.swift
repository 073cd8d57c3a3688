// SPDX-License-Identifier: Apache-2.0

import Activity

/// One machine's connection to a relay with TLS, without its socket, until the relay has invited it to a session with
/// the other machine. ``RelayJoining`` joins that session.
///
/// `connecting → asking → waiting → meeting` for a host, `connecting → asking → pausing → ended` for a guest, and
/// `ended` from each of them.
///
/// A guest joins the session a little later than the host, because a relay is confused by connections that come
/// together: it refuses one of them, or passes on what a machine sends before it answers the other. So the guest is the
/// one that speaks first.
package struct RelayMeeting: Sendable {
  /// How much later than the host a guest joins the session: more than the one's messages take longer than the other's.
  static let relayPause = Duration.milliseconds(100)
  /// How long a host waits at a relay for its guest.
  package static let relayMeetingTime = Duration.seconds(20)

  package typealias Instant = ContinuousClock.Instant

  package enum Role: Equatable, Sendable {
    /// It waits at the relay for the guest.
    case host
    /// - Parameter hostID: SHA-256 of the host's certificate: 32 bytes.
    case guest(hostID: [UInt8])
  }

  package enum Event: Equatable {
    /// TLS stands.
    case secured
    case received([UInt8])
    case closed
    case wake
  }

  package enum Effect: Equatable {
    case send([UInt8])
    /// The relay knows this host. Tell the guest its ID now.
    case joined
    /// Join the session with this key. A guest closes the connection. A host keeps it until it no longer needs the
    /// session, because the relay ends both together.
    case invited(key: [UInt8])
    /// Close the connection. Nothing follows.
    case end(RelayFailure)
    /// Read nothing before this instant, because the relay says too much.
    case rest(until: Instant)
    /// Send `.wake` at this instant. Nil: not needed.
    case wake(at: Instant?)
  }

  private enum State: Equatable { case connecting, asking, waiting, pausing(key: [UInt8]), meeting, ended }

  private let role: Role
  private var state = State.connecting
  private var decoder = RelayDecoder()
  private var deadline: Instant?
  private var budget: TokenBucket

  /// - Parameter now: When the connection is begun.
  package init(_ role: Role, at now: Instant) {
    self.role = role
    deadline = now + Limits.relayReplyTime
    budget = TokenBucket(Limits.rendezvousMessageRate, at: now)
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard state != .ended else { return [] }
    do throws(RelayFailure) {
      return try respond(to: event, at: now) + [.wake(at: deadline)]
    } catch {
      state = .ended
      return [.end(error), .wake(at: nil)]
    }
  }

  private mutating func respond(to event: Event, at now: Instant) throws(RelayFailure) -> [Effect] {
    switch event {
    case .secured:
      guard state == .connecting else { return [] }
      state = .asking
      deadline = now + Limits.relayReplyTime
      switch role {
      case .host: return [.send(RelayRequest.joinRelay.bytes)]
      case .guest(let hostID): return [.send(RelayRequest.connect(hostID: hostID).bytes)]
      }
    case .received(let bytes):
      decoder.append(bytes)
      var (effects, isAsked, count): ([Effect], Bool, Int) = ([], false, 0)
      while let message = try next() {
        if message == .ping { isAsked = true }
        count += 1
        effects += try hear(message, at: now)
      }
      budget.charge(Double(count), at: now)
      // One answer is enough for all that came together.
      if isAsked { effects.append(.send(RelayRequest.pong.bytes)) }
      let ready = budget.ready(at: now)
      return ready > now ? effects + [.rest(until: ready)] : effects
    case .closed:
      // The relay needs a guest no longer.
      if case .pausing = state { return [] }
      throw .closed
    case .wake:
      guard let deadline, now >= deadline else { return [] }
      guard case .pausing(let key) = state else { throw .timedOut }
      state = .ended
      self.deadline = nil
      return [.invited(key: key)]
    }
  }

  private mutating func next() throws(RelayFailure) -> RelayMessage? {
    do throws(RelayDecoder.Malformed) { return try decoder.next() } catch { throw .malformed(error.why) }
  }

  private mutating func hear(_ message: RelayMessage, at now: Instant) throws(RelayFailure) -> [Effect] {
    switch (message, role, state) {
    case (.ping, _, _), (.pong, _, _): return []
    case (.full, _, _): throw .full
    case (.response(code: 0, _), .host, .asking):
      state = .waiting
      deadline = now + Self.relayMeetingTime
      return [.joined]
    case (.invitation(let key), .host, .waiting):
      state = .meeting
      deadline = nil
      return [.invited(key: key)]
    case (.invitation(let key), .guest, .asking):
      state = .pausing(key: key)
      deadline = now + Self.relayPause
      return []
    // Somebody else asked for this host. Nobody joins that session.
    case (.invitation, .host, .meeting): return []
    case (.response(code: 1, _), .guest, .asking): throw .notThere
    case (.response(let code, let text), _, _) where code != 0: throw .refused(code: code, text: text)
    default: throw .malformed("an unexpected answer")
    }
  }
}
