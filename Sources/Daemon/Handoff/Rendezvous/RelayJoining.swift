// SPDX-License-Identifier: Apache-2.0

import Activity

/// One machine's connection to a relay without TLS, without its socket, until what the other machine sends comes
/// through it.
///
/// If it fails, the machines need another meeting, because a key is valid once.
package struct RelayJoining: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Event: Equatable {
    case connected
    case received([UInt8])
    case closed
    case wake
  }

  package enum Effect: Equatable {
    case send([UInt8])
    /// From here on, the connection is one with the other machine. Nothing follows.
    /// - Parameter rest: What the other machine has sent already.
    case joined(rest: [UInt8])
    /// Close the connection. Nothing follows.
    case end(RelayFailure)
    /// Send `.wake` at this instant. Nil: not needed.
    case wake(at: Instant?)
  }

  private enum State: Equatable { case connecting, asking, ended }

  private let key: [UInt8]
  private var state = State.connecting
  private var decoder = RelayDecoder()
  private var deadline: Instant

  /// - Parameters:
  ///   - key: That of ``RelayMeeting/Effect/invited(key:)``.
  ///   - now: When the connection is begun.
  package init(key: [UInt8], at now: Instant) {
    self.key = key
    deadline = now + Limits.relayReplyTime
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard state != .ended else { return [] }
    do throws(RelayFailure) {
      let effects = try respond(to: event, at: now)
      return effects + [.wake(at: state == .ended ? nil : deadline)]
    } catch {
      state = .ended
      return [.end(error), .wake(at: nil)]
    }
  }

  private mutating func respond(to event: Event, at now: Instant) throws(RelayFailure) -> [Effect] {
    switch event {
    case .connected:
      guard state == .connecting else { return [] }
      state = .asking
      deadline = now + Limits.relayReplyTime
      return [.send(RelayRequest.joinSession(key: key).bytes)]
    case .received(let bytes):
      decoder.append(bytes)
      switch try next() {
      case nil: return []
      case .response(code: 0, _) where state == .asking:
        state = .ended
        return [.joined(rest: Array(decoder.rest))]
      case .response(code: 1, _): throw .notThere
      // It also says so while it is about to begin the session, or to take the other machine's connection.
      case .response(code: 2, _): throw .notReady
      case .response(let code, let text) where code != 0: throw .refused(code: code, text: text)
      case .full: throw .full
      default: throw .malformed("an unexpected answer")
      }
    case .closed: throw .closed
    case .wake:
      if now >= deadline { throw .timedOut }
      return []
    }
  }

  private mutating func next() throws(RelayFailure) -> RelayMessage? {
    do throws(RelayDecoder.Malformed) { return try decoder.next() } catch { throw .malformed(error.why) }
  }
}
