import Activity
import EventLoop
import Reachability
import TLS

/// Takes connections from the network, and lets go of those that do not prove membership in time.
@Loop
final class PeerListener {
  /// A connection whose other side is a device of a team, or holds an invitation.
  var onConnection: (@Loop (TLSConnection) -> Void)?
  /// A connection that was refused, and where it came from.
  var onRefusal: (@Loop (Reason, SocketAddress?) -> Void)?
  /// Whether a device of a team was met at an address.
  var wasMet: (@Loop (SocketAddress) -> Bool)?
  /// What this machine is in handshakes; nil while it is in no team.
  var context: TLSContext?

  private var listener: Listener?
  private var limiter = ConnectionLimiter<UInt64, [UInt8]>()
  private var lastNumber: UInt64 = 0
  private var greetings: [UInt64: GreetingReader] = [:]
  private var handshakes: [UInt64: TLSConnection] = [:]
  /// When each greeting is to be here, in the order in which they came.
  private var deadlines: [(number: UInt64, instant: ContinuousClock.Instant)] = []
  private var timer: Timer?

  /// - Parameter port: 0 for any free one.
  /// - Throws: `SystemError`; see `Sockets.listen`.
  init(port: UInt16) throws(SystemError) {
    let descriptor = try Sockets.listen(port: port, backlog: Int32(Limits.silentConnections))
    listener = Listener(owning: descriptor) { [weak self] in self?.accept($0) }
    timer = Timer { [weak self] in self?.closeSilent() }
  }

  var port: UInt16 { listener?.port ?? 0 }

  func close() {
    listener?.close()
    listener = nil
    timer = nil
    for reader in greetings.values { reader.close() }
    for connection in handshakes.values { connection.finish() }
    (greetings, handshakes, deadlines) = ([:], [:], [])
  }

  // MARK: Before the handshake

  private func accept(_ descriptor: Int32) {
    let address = Sockets.peerAddress(of: descriptor)
    guard let context, let address else {
      Sockets.close(descriptor)
      return refused(context == nil ? .teamNotFound : .peerUnreachable, address)
    }
    lastNumber += 1
    let number = lastNumber
    let wasMet = wasMet?(address) ?? false
    let source = wasMet ? address.bytes : address.source
    switch limiter.arrived(number, from: source, wasMet: wasMet, at: Loop.now) {
    case .refuse:
      Sockets.reset(descriptor)
      refused(.tooManyConnections, address)
    case .take(let evicted):
      if let evicted { evict(evicted) }
      greetings[number] = GreetingReader(owning: descriptor, address: address, judge: { context.greeting($0) }) {
        [weak self] greeting in self?.greeted(number, greeting, wasMet)
      }
      deadlines.append((number, Loop.now + Limits.clientHelloTime))
      if deadlines.count == 1 { timer?.set(deadlines[0].instant) }
    }
  }

  private func greeted(_ number: UInt64, _ greeting: Greeting, _ wasMet: Bool) {
    guard let reader = greetings.removeValue(forKey: number) else { return }
    guard case .forTeam(let isReturning) = greeting else {
      limiter.left(number)
      switch greeting {
      case .forNoTeam:
        reader.refuse()
        refused(.otherTeam, reader.address)
      case .notTLS:
        reader.close()
        refused(.notTLS, reader.address)
      case .incomplete, .forTeam: reader.close()
      }
      return
    }
    let source = reader.address?.source ?? []
    if let evicted = limiter.greeted(number, from: source, isReturning: isReturning) { evict(evicted) }
    shakeHands(number, reader, wasMet)
  }

  private func closeSilent() {
    while let first = deadlines.first {
      guard first.instant <= Loop.now || greetings[first.number] == nil else { break }
      deadlines.removeFirst()
      guard let reader = greetings.removeValue(forKey: first.number) else { continue }
      limiter.left(first.number)
      reader.close()
      refused(.handshakeTimedOut, reader.address)
    }
    timer?.set(deadlines.first?.instant)
  }

  private func evict(_ number: UInt64) {
    limiter.left(number)
    if let reader = greetings.removeValue(forKey: number) {
      reader.close()
      refused(.tooManyConnections, reader.address)
    } else if let connection = handshakes.removeValue(forKey: number) {
      connection.abandon()
      refused(.tooManyConnections, connection.address)
    }
  }

  private func refused(_ reason: Reason, _ address: SocketAddress?) { onRefusal?(reason, address) }

  // MARK: Handshakes

  private func shakeHands(_ number: UInt64, _ reader: GreetingReader, _ wasMet: Bool) {
    guard let (descriptor, received) = reader.release() else {
      limiter.left(number)
      return refused(.tooManyConnections, reader.address)
    }
    guard let context, let tls = try? TLSSession(context, toleratesClocks: wasMet) else {
      limiter.left(number)
      Sockets.close(descriptor)
      return refused(.teamNotFound, reader.address)
    }
    let connection = TLSConnection(owning: descriptor, address: reader.address, tls: tls)
    handshakes[number] = connection
    connection.onEnd = { [weak self] reason in
      self?.limiter.left(number)
      self?.handshakes[number] = nil
      // A dialler that reached us by several addresses at once lets go of all but one.
      if reason != .peerUnreachable { self?.refused(reason, reader.address) }
    }
    connection.onEstablished = { [weak self] in
      guard let self, let connection = self.handshakes.removeValue(forKey: number) else { return }
      self.limiter.left(number)
      self.onConnection?(connection)
    }
    connection.start(received: received)
  }
}
