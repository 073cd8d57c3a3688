// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS
import Teams

/// Asks the machine at one address whether it issued a code.
@Loop
final class JoinCall {
  /// What happens in the call. No event follows ``cancel()``.
  enum Event {
    /// The machine has proved that it issued the code.
    case proved
    case frame(FrameDecoder.Frame)
    /// The machine cannot help, or the connection is lost. This is the last event.
    case ended(Reason)
  }

  let address: SocketAddress
  let begin = Loop.now
  private var onEvent: @Loop (JoinCall, Event) -> Void
  private let tls: TLSEngine
  private var dialer: Dialer?
  private var connection: TLSConnection?
  /// The port on which this machine listens.
  private let ownPort: UInt16
  /// Whether the machine is this one, under any of its addresses.
  private(set) var isWithinHost = false
  /// Whether the machine accepted the connection and closed it without an answer.
  private(set) var hungUp = false

  /// - Parameter onEvent: Not called before this returns.
  init(
    _ address: SocketAddress,
    _ tls: TLSEngine,
    ownPort: UInt16,
    onEvent: @escaping @Loop (JoinCall, Event) -> Void
  ) {
    self.address = address
    self.onEvent = onEvent
    self.tls = tls
    self.ownPort = ownPort
    dialer = Dialer([address]) { [weak self] descriptor, _ in
      guard let self else {
        if let descriptor { Sockets.close(descriptor) }
        return
      }
      self.dialer = nil
      guard let descriptor else { return self.end(.peerUnreachable) }
      self.shakeHands(descriptor)
    }
  }

  func send(_ join: Join) { connection?.send(json: join.json, type: Join.frameType) }

  /// Closes the connection.
  func cancel() {
    onEvent = { _, _ in }
    dialer?.cancel()
    dialer = nil
    connection?.finish()
    connection = nil
  }

  private func shakeHands(_ descriptor: Int32) {
    isWithinHost = Sockets.isWithinHost(descriptor, port: ownPort)
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls) { [weak self] in self?.handle($0) }
    self.connection = connection
    connection.start()
  }

  private func handle(_ event: TLSConnection.Event) {
    switch event {
    case .established: onEvent(self, .proved)
    case .frame(let frame): onEvent(self, .frame(frame))
    case .ended(let reason): end(reason)
    case .batchEnd, .turnEnd, .violation, .space: break
    }
  }

  private func end(_ reason: Reason) {
    let onEvent = onEvent
    hungUp = connection != nil && reason == .peerUnreachable
    cancel()
    onEvent(self, .ended(reason))
  }
}
