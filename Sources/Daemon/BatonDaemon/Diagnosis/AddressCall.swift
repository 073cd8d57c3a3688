// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff
import TLS

/// Connects to an address as a dialling peer does, up to the other side's hello, and leaves before a session begins. So
/// an existing session with that device stays.
@Loop
final class AddressCall {
  enum Outcome {
    case answered(Hello)
    /// The address is this machine's own.
    case thisMachine
    case failed(Reason)
    /// There is no connection.
    case unreachable(DialObstacle?)
  }

  /// This machine's identity in a team.
  struct Identity {
    let context: TLSContext
    let hello: Hello
    let device: DeviceID
  }

  private var dialer: Dialer?
  private var connection: TLSConnection?
  private var timer: Timer?
  private var completion: (@Loop (Outcome) -> Void)?

  /// - Parameter completion: Called once, never before this returns, at most `Limits.peerCheckTime` later. Not called
  ///   if this object is released first.
  init(
    _ addresses: [SocketAddress],
    _ identity: Identity,
    completion: @escaping @Loop (Outcome) -> Void
  ) {
    self.completion = completion
    timer = Timer { [weak self] in self?.finish(.failed(.peerTimedOut)) }
    timer?.set(Loop.now + Limits.peerCheckTime)
    dial(addresses, identity)
  }

  isolated deinit { close() }

  private func dial(_ addresses: [SocketAddress], _ identity: Identity, isReturning: Bool = false) {
    dialer = Dialer(addresses) { [weak self] descriptor, address in
      let obstacle = self?.dialer?.obstacle
      self?.dialer = nil
      guard let self, let descriptor else {
        self?.finish(.unreachable(obstacle))
        return
      }
      self.shakeHands(descriptor, address, identity, isReturning)
    }
  }

  private func shakeHands(
    _ descriptor: Int32,
    _ address: SocketAddress?,
    _ identity: Identity,
    _ isReturning: Bool
  ) {
    guard let tls = try? TLSEngine(identity.context, isReturning: isReturning) else {
      Sockets.close(descriptor)
      return finish(.failed(.internalFailure))
    }
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls) { [weak self] event in
      switch event {
      case .established: self?.established(identity)
      case .frame(let frame): self?.receive(frame)
      case .ended(let reason): self?.ended(address, identity, isReturning, reason)
      case .batchEnd, .turnEnd, .violation, .space: break
      }
    }
    self.connection = connection
    connection.start()
  }

  private func established(_ identity: Identity) {
    guard connection?.tls.peer != identity.device else { return finish(.thisMachine) }
    connection?.send(identity.hello.frame)
  }

  private func ended(_ address: SocketAddress?, _ identity: Identity, _ isReturning: Bool, _ reason: Reason) {
    guard reason == .otherTeam, !isReturning, let address else {
      // If the other side closes the connection during the handshake, it is reachable.
      return finish(.failed(reason == .peerUnreachable ? .notTLS : reason))
    }
    // It may be a member with another discovery key.
    connection = nil
    dial([address], identity, isReturning: true)
  }

  /// A server checks the client's certificate after the client considers the handshake complete. So only the server's
  /// hello shows that the connection is accepted.
  private func receive(_ frame: FrameDecoder.Frame) {
    guard let message = try? Message(type: frame.type, payload: frame.payload) else {
      return finish(.failed(.protocolViolation))
    }
    switch message {
    case .session(.hello(let hello)):
      connection?.send(Bye(reason: .duplicateSession).frame)
      finish(.answered(hello))
    case .session(.refused(let refused)): finish(.failed(refused.reason))
    case .session(.bye(let bye)): finish(.failed(bye.reason))
    case .session, .stream, .handoff, .team, .index: finish(.failed(.protocolViolation))
    }
  }

  private func finish(_ outcome: Outcome) {
    let completion = completion
    close()
    completion?(outcome)
  }

  private func close() {
    completion = nil
    timer = nil
    dialer?.cancel()
    dialer = nil
    connection?.finish()
    connection = nil
  }
}
