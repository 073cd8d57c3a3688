// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// One meeting at one relay, as its host or its guest.
///
/// A host keeps its connection to the relay for as long as the session lasts, because the relay ends both together.
@Loop
final class RelayCall {
  enum Event {
    /// The guest can be told to come. This is the host's ID.
    case waits(id: [UInt8])
    /// The other end of this connection is the other machine's. The receiver owns the descriptor, and cancels the call
    /// when it no longer needs the connection.
    case joined(Int32, at: SocketAddress?, received: [UInt8])
    /// The last event.
    case failed(ServerFailure)
  }

  private let server: ServerAddress
  private let user: UserID
  private let identity: ThrowawayCertificate?
  private var meeting: RelayMeeting
  private var joining: RelayJoining?
  /// The connection with TLS, and the one that is joined with the other machine's.
  private var secure: ServerConnection?
  private var plain: ServerConnection?
  private var meetingTimer: Timer?
  private var joiningTimer: Timer?
  private let isHost: Bool
  private var isJoined = false
  private var onEvent: (@Loop (Event) -> Void)?

  /// - Parameters:
  ///   - user: Whose turns look-ups of the relay take.
  ///   - host: The ID of the host; nil for a host.
  ///   - onEvent: Not called before this returns.
  init(_ relay: RelayAddress, for user: UserID, guestOf host: [UInt8]?, onEvent: @escaping @Loop (Event) -> Void) {
    self.onEvent = onEvent
    self.user = user
    isHost = host == nil
    server = ServerAddress(relay)
    meeting = RelayMeeting(host.map { .guest(hostID: $0) } ?? .host, at: Loop.now)
    // Made for this meeting, so that the relay cannot tell that two meetings are of one machine.
    identity = try? ThrowawayCertificate.make()
    meetingTimer = Timer { [weak self] in self?.handle(RelayMeeting.Event.wake) }
    joiningTimer = Timer { [weak self] in self?.handle(RelayJoining.Event.wake) }
    meetingTimer?.set(Loop.now + Limits.relayReplyTime)
    let trust: ServerTrust = relay.id.map { .certificate($0) } ?? .unverified
    secure = ServerConnection(to: server, for: user) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: self.secure?.secure(trust, protocols: ["bep-relay"], identity: self.identity)
      case .secured: self.handle(RelayMeeting.Event.secured)
      case .received(let bytes): self.handle(RelayMeeting.Event.received(bytes))
      case .ended(.session(.closed)): self.handle(RelayMeeting.Event.closed)
      case .ended(let failure): self.end(.failed(failure))
      }
    }
  }

  isolated deinit { cancel() }

  /// Ends it. A session through the relay ends, too.
  func cancel() {
    onEvent = nil
    for connection in [secure, plain] { connection?.close() }
    (secure, plain) = (nil, nil)
    meetingTimer?.set(nil)
    joiningTimer?.set(nil)
  }

  private func handle(_ event: RelayMeeting.Event) {
    for effect in meeting.handle(event, at: Loop.now) where onEvent != nil {
      switch effect {
      case .send(let bytes): secure?.send(bytes)
      case .joined: onEvent?(.waits(id: identity?.id ?? []))
      case .invited(let key): join(key)
      case .rest(let instant): secure?.rest(until: instant)
      case .end where isJoined:
        // What it says from now on is not read.
        secure?.close()
        secure = nil
      case .end(let failure): end(.failed(.relay(failure)))
      case .wake(let instant): meetingTimer?.set(instant)
      }
    }
  }

  /// Makes the plain connection. A relay may say that it is elsewhere, but only the address that the team has counts.
  private func join(_ key: [UInt8]) {
    if !isHost {
      secure?.close()
      secure = nil
      meetingTimer?.set(nil)
    }
    joining = RelayJoining(key: key, at: Loop.now)
    joiningTimer?.set(Loop.now + Limits.relayReplyTime)
    plain = ServerConnection(to: server, for: user) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: self.handle(RelayJoining.Event.connected)
      case .secured: break
      case .received(let bytes): self.handle(RelayJoining.Event.received(bytes))
      case .ended(.session(.closed)): self.handle(RelayJoining.Event.closed)
      case .ended(let failure): self.end(.failed(failure))
      }
    }
  }

  private func handle(_ event: RelayJoining.Event) {
    for effect in joining?.handle(event, at: Loop.now) ?? [] where onEvent != nil && !isJoined {
      switch effect {
      case .send(let bytes): plain?.send(bytes)
      case .joined(let rest): joined(rest)
      case .end(let failure): end(.failed(.relay(failure)))
      case .wake(let instant): joiningTimer?.set(instant)
      }
    }
  }

  private func joined(_ received: [UInt8]) {
    let address = plain?.address
    guard let descriptor = plain?.release() else { return end(.failed(.unreachable)) }
    isJoined = true
    plain = nil
    joiningTimer?.set(nil)
    onEvent?(.joined(descriptor, at: address, received: received))
  }

  private func end(_ event: Event) {
    guard !isJoined else { return }
    let onEvent = onEvent
    cancel()
    onEvent?(event)
  }
}

extension ServerAddress {
  init(_ relay: RelayAddress) { self.init(host: relay.host, port: relay.port) }
}
