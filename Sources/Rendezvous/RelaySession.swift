import Activity

/// Meeting another device at a relay, without the sockets.
///
/// Each side has two connections, one after the other: a secure one, on which the relay gives both the same key, and a
/// plain one, which it joins with that of the other side. What follows on that one is the other side's.
package struct RelaySession: Sendable {
  package typealias Instant = ContinuousClock.Instant

  package enum Role: Equatable, Sendable {
    /// Waits for a guest.
    case host
    /// Comes to the host with this ID: 32 bytes.
    case guest([UInt8])
  }

  package enum Failure: Error, Equatable, Sendable {
    case timedOut
    case closed
    /// The relay has no room for more.
    case full
    /// The host is not there, or no longer.
    case notThere
    case refused(String)
    case malformed(String)
  }

  package enum Event: Equatable, Sendable {
    /// The secure connection stands.
    case secured
    /// The plain connection stands.
    case connected
    case received([UInt8])
    case closed
    case wake
  }

  package enum Effect: Equatable, Sendable {
    case send([UInt8])
    /// The host waits. The guest can be told.
    case waits
    /// Close the secure connection, and make a plain one to the relay.
    case connect
    /// The other side is there. This has already come from it.
    case joined([UInt8])
    case end(Failure)
    case wake(at: Instant?)
  }

  private enum State: Equatable { case securing, asking, waiting, connecting([UInt8]), joining, over }

  private let role: Role
  private var state = State.securing
  private var input: [UInt8] = []
  private var deadline: Instant

  package init(_ role: Role, at now: Instant) {
    self.role = role
    deadline = now + Limits.relayReplyTime
  }

  package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
    guard state != .over else { return [] }
    do throws(Failure) {
      let effects = try respond(to: event, at: now)
      return effects + [.wake(at: state == .over ? nil : deadline)]
    } catch {
      state = .over
      return [.end(error), .wake(at: nil)]
    }
  }

  private mutating func respond(to event: Event, at now: Instant) throws(Failure) -> [Effect] {
    switch event {
    case .secured:
      guard state == .securing else { return [] }
      state = .asking
      deadline = now + Limits.relayReplyTime
      switch role {
      case .host: return [.send(RelayMessage.joinRelay.bytes)]
      case .guest(let id): return [.send(RelayMessage.connect(id: id).bytes)]
      }
    case .connected:
      guard case .connecting(let key) = state else { return [] }
      state = .joining
      deadline = now + Limits.relayReplyTime
      return [.send(RelayMessage.joinSession(key: key).bytes)]
    case .received(let bytes): return try receive(bytes, now)
    case .closed:
      // A relay closes the secure connection of a guest that it has invited.
      if case .connecting = state { return [] }
      throw .closed
    case .wake:
      guard now < deadline else { throw .timedOut }
      return []
    }
  }

  private mutating func receive(_ bytes: [UInt8], _ now: Instant) throws(Failure) -> [Effect] {
    input += bytes
    var rest = input[...]
    var effects: [Effect] = []
    while state != .over {
      // What follows is no longer the relay's.
      if case .connecting = state { break }
      let message: RelayMessage?
      do throws(RelayMessage.Malformed) {
        message = try RelayMessage.take(from: &rest)
      } catch { throw .malformed(error.why) }
      guard let message else { break }
      effects += try hear(message, &rest, now)
    }
    input = Array(rest)
    guard input.count <= Limits.relayMessageLength + 12 else { throw .malformed("a message is too long") }
    return effects
  }

  private mutating func hear(
    _ message: RelayMessage,
    _ rest: inout ArraySlice<UInt8>,
    _ now: Instant
  ) throws(Failure) -> [Effect] {
    switch (message, state) {
    case (.ping, .asking), (.ping, .waiting): return [.send(RelayMessage.pong.bytes)]
    case (.pong, .asking), (.pong, .waiting): return []
    case (.full, _): throw .full
    case (.response(0, _), .asking) where role == .host:
      state = .waiting
      deadline = now + Limits.relayMeetingTime
      return [.waits]
    case (.invitation(let key), .asking), (.invitation(let key), .waiting):
      state = .connecting(key)
      deadline = now + Limits.relayReplyTime
      rest = []
      return [.connect]
    case (.response(0, _), .joining):
      state = .over
      defer { rest = [] }
      return [.joined(Array(rest))]
    case (.response(RelayMessage.notFound, _), .asking) where role != .host: throw .notThere
    case (.response(_, let text), _): throw .refused(Printable.text(text, limit: 100))
    default: throw .malformed("an unexpected message")
    }
  }
}
