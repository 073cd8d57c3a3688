import Activity
import EventLoop
import Rendezvous
import TLS

/// One meeting at one relay, as its host or its guest.
@Loop
final class RelayCall {
  enum Event {
    /// The other side can be told to come. This is its ID.
    case waits(id: [UInt8])
    /// The last event: the descriptor of a connection whose other end is the other side's. The receiver owns it.
    case joined(Int32, at: SocketAddress?, received: [UInt8])
    /// The last event.
    case failed(ServerFailure)
  }

  private let relay: RelayAddress
  private var session: RelaySession
  private var connection: ServerConnection?
  private var identity: ServerIdentity?
  private var timer: Timer?
  private var onEvent: (@Loop (Event) -> Void)?

  /// - Parameters:
  ///   - host: The ID of the host; nil for a host.
  ///   - onEvent: Not called before this returns.
  init(_ relay: RelayAddress, guestOf host: [UInt8]?, onEvent: @escaping @Loop (Event) -> Void) {
    self.relay = relay
    self.onEvent = onEvent
    session = RelaySession(host.map { .guest($0) } ?? .host, at: Loop.now)
    timer = Timer { [weak self] in self?.handle(.wake) }
    timer?.set(Loop.now + Limits.relayReplyTime)
    // Made for this meeting, so that the relay cannot tell that two meetings are of one device.
    identity = try? ServerIdentity.make(hosts: [], now: Membership.now)
    connection = ServerConnection(to: relay.server, for: 0) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected:
        let proof: ServerTLSEngine.Proof = self.relay.id.map { .certificate($0) } ?? .none
        self.connection?.secure(proof, protocols: ["bep-relay"], identity: self.identity)
      case .secured: self.handle(.secured)
      case .received(let bytes): self.handle(.received(bytes))
      case .ended(let failure): self.ended(failure)
      }
    }
  }

  isolated deinit { cancel() }

  func cancel() {
    onEvent = nil
    connection?.close()
    connection = nil
    timer?.set(nil)
  }

  private func ended(_ failure: ServerFailure) {
    // The session knows whether the end was to be expected.
    if failure == .session(.closed) { handle(.closed) } else { end(.failed(failure)) }
  }

  private func handle(_ event: RelaySession.Event) {
    for effect in session.handle(event, at: Loop.now) where onEvent != nil {
      switch effect {
      case .send(let bytes): connection?.send(bytes)
      case .waits: onEvent?(.waits(id: identity?.certificateHash ?? []))
      case .connect: connect()
      case .joined(let received): joined(received)
      case .end(let failure): end(.failed(.relay(failure)))
      case .wake(let instant): timer?.set(instant)
      }
    }
  }

  /// Makes the plain connection. A relay may say that it is elsewhere, but only the address that the team has counts.
  private func connect() {
    connection?.close()
    connection = ServerConnection(to: relay.server, for: 0) { [weak self] event in
      guard let self else { return }
      switch event {
      case .connected: self.handle(.connected)
      case .secured: break
      case .received(let bytes): self.handle(.received(bytes))
      case .ended(let failure): self.ended(failure)
      }
    }
  }

  private func joined(_ received: [UInt8]) {
    let address = connection?.address
    guard let descriptor = connection?.release() else { return end(.failed(.unreachable)) }
    end(.joined(descriptor, at: address, received: received))
  }

  private func end(_ event: Event) {
    let onEvent = onEvent
    cancel()
    onEvent?(event)
  }
}
