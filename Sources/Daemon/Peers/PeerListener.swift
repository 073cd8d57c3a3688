import Activity
import EventLoop
import TLS

/// Takes connections from the network, and lets go of those that do not prove membership in time.
@Loop
final class PeerListener {
  /// A connection whose other side is a device of a team, or holds an invitation.
  var onConnection: (@Loop (TLSConnection) -> Void)?
  /// A connection that was refused, and where it came from.
  var onRefusal: (@Loop (Reason, SocketAddress?) -> Void)?
  /// What this machine is in handshakes; nil while it is in no team.
  var context: TLSContext?

  private var listener: Listener?
  private var handshakes: [ObjectIdentifier: TLSConnection] = [:]

  /// - Parameter port: 0 for any free one.
  /// - Throws: `SystemError`; see `Sockets.listen`.
  init(port: UInt16) throws(SystemError) {
    let descriptor = try Sockets.listen(port: port)
    listener = Listener(owning: descriptor) { [weak self] in self?.accept($0) }
  }

  var port: UInt16 { listener?.port ?? 0 }

  func close() {
    listener?.close()
    listener = nil
    for connection in handshakes.values { connection.finish() }
    handshakes = [:]
  }

  private func accept(_ descriptor: Int32) {
    let address = Sockets.peerAddress(of: descriptor)
    let fromThere = handshakes.values.count { $0.address?.source == address?.source }
    guard let context, fromThere < Limits.handshakesPerSource, handshakes.count < Limits.handshakes,
      let tls = try? TLSSession(context)
    else {
      Sockets.close(descriptor)
      onRefusal?(context == nil ? .teamNotFound : .tooManyConnections, address)
      return
    }
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls)
    let id = ObjectIdentifier(connection)
    handshakes[id] = connection
    connection.onEnd = { [weak self] reason in
      self?.handshakes[id] = nil
      // A dialler that reached us by several addresses at once lets go of all but one.
      if reason != .peerUnreachable { self?.onRefusal?(reason, address) }
    }
    connection.onEstablished = { [weak self] in
      guard let self, let connection = self.handshakes.removeValue(forKey: id) else { return }
      self.onConnection?(connection)
    }
    connection.start()
  }
}
