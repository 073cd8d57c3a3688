import Activity
import EventLoop
import PeerProtocol
import TLS
import Teams

/// Asks the machine at one address whether it issued a code.
@Loop
final class JoinCall {
  /// Called when the machine has proved that it did.
  var onEstablished: (@Loop () -> Void)?
  var onFrame: (@Loop (FrameDecoder.Frame) -> Void)?
  /// Called when the machine cannot help or the connection is lost. Called at most once, never before `init` returns,
  /// and not after ``cancel()``.
  var onEnd: (@Loop (Reason) -> Void)?

  let address: SocketAddress
  let begin = Loop.now
  private let tls: TLSEngine
  private var dialer: Dialer?
  private var connection: TLSConnection?
  /// The port on which this machine listens.
  private let ownPort: UInt16
  /// Whether the machine is this one, under any of its addresses.
  private(set) var isWithinHost = false
  /// It took the connection, and ended it without a word.
  private(set) var hungUp = false

  init(_ address: SocketAddress, _ tls: TLSEngine, ownPort: UInt16) {
    self.address = address
    self.tls = tls
    self.ownPort = ownPort
    dialer = Dialer([address]) { [weak self] descriptor, _ in
      guard let self else { return descriptor.map(Sockets.close) ?? () }
      self.dialer = nil
      guard let descriptor else { return self.end(.peerUnreachable) }
      self.shakeHands(descriptor)
    }
  }

  func send(_ join: Join) { connection?.send(json: join.json, type: Join.frameType) }

  /// Closes the connection, without calling a callback.
  func cancel() {
    (onEstablished, onFrame, onEnd) = (nil, nil, nil)
    dialer?.cancel()
    dialer = nil
    connection?.finish()
    connection = nil
  }

  private func shakeHands(_ descriptor: Int32) {
    isWithinHost = Sockets.isWithinHost(descriptor, port: ownPort)
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls)
    self.connection = connection
    connection.onEnd = { [weak self] in self?.end($0) }
    connection.onEstablished = { [weak self] in self?.onEstablished?() }
    connection.onFrame = { [weak self] in self?.onFrame?($0) }
    connection.start()
  }

  private func end(_ reason: Reason) {
    let onEnd = onEnd
    hungUp = connection != nil && reason == .peerUnreachable
    cancel()
    onEnd?(reason)
  }
}
