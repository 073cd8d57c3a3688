// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// What ``PeerListener`` needs from the other parts.
@Loop
protocol PeerListenerHost: AnyObject {
  /// Whether a device of a team was met at an address.
  func wasMet(at address: SocketAddress) -> Bool
  /// A connection was accepted whose other side is a device of a team, or holds an invitation. The host takes it over.
  func accepted(_ connection: TLSConnection)
  /// Peers reach this machine on another port than before.
  func portMoved()
}

/// Accepts connections from the network, and drops those that do not prove membership in time.
@Loop
final class PeerListener {
  /// The time from the start of a connection until its ClientHello has arrived.
  nonisolated static let clientHelloTime = Duration.seconds(2)

  /// This machine's identity in handshakes; nil while it is in no team.
  var context: TLSContext?

  private unowned let host: any PeerListenerHost
  private let refusals: RefusalLog
  let port: PeerPort
  private var limiter = ConnectionLimiter<UInt64, [UInt8]>(at: Loop.now, descriptors: ResourceLimits.descriptors)
  private var lastNumber: UInt64 = 0
  private var greetings: [UInt64: (reader: GreetingReader, origin: Origin)] = [:]
  private var handshakes: [UInt64: TLSConnection] = [:]
  /// When each greeting must have arrived, in order of arrival.
  private var deadlines: [(number: UInt64, instant: ContinuousClock.Instant)] = []
  private var timer: Timer?
  /// The number of handshakes begun. Nothing else that strangers can cause costs more.
  private(set) var handshakesBegun = 0

  init(port: PeerPort, host: any PeerListenerHost, refusals: RefusalLog) {
    self.port = port
    self.host = host
    self.refusals = refusals
    port.onConnection = { [weak self] in self?.accept($0) }
    port.onMove = { [weak host] in host?.portMoved() }
    timer = Timer { [weak self] in self?.closeSilent() }
  }

  func close() {
    port.close()
    timer = nil
    for greeting in greetings.values { greeting.reader.close() }
    for connection in handshakes.values { connection.finish() }
    (greetings, handshakes, deadlines) = ([:], [:], [])
  }

  /// Where a connection came from.
  private struct Origin {
    let address: SocketAddress
    let wasMet: Bool

    /// If a peer was met at the address, only that address counts, and not the rest of its network.
    var source: [UInt8] { wasMet ? address.bytes : address.source }
  }

  // MARK: Before the handshake

  private func accept(_ descriptor: Int32) {
    guard let context, let address = Sockets.peerAddress(of: descriptor) else {
      Sockets.close(descriptor)
      return refused(context == nil ? .teamNotFound : .peerUnreachable, nil)
    }
    lastNumber += 1
    let number = lastNumber
    let origin = Origin(address: address, wasMet: host.wasMet(at: address))
    switch limiter.arrived(number, from: origin.source, wasMet: origin.wasMet, at: Loop.now) {
    case .refuse:
      port.isFlooded = true
      Sockets.reset(descriptor)
      refused(.tooManyConnections, address)
    case .take(let evicted):
      if let evicted { evict(evicted) }
      let reader = GreetingReader(owning: descriptor, judge: { context.greeting($0) }) { [weak self] greeting in
        self?.greeted(number, greeting)
      }
      greetings[number] = (reader, origin)
      deadlines.append((number, Loop.now + Self.clientHelloTime))
      if deadlines.count == 1 { timer?.set(deadlines[0].instant) }
    }
  }

  private func greeted(_ number: UInt64, _ greeting: Greeting) {
    guard let (reader, origin) = greetings.removeValue(forKey: number) else { return }
    limiter.left(number)
    switch greeting {
    case .incomplete: reader.close()
    case .notTLS:
      reader.close()
      failed(.notTLS, origin)
    case .forNoTeam:
      reader.refuse()
      failed(.otherTeam, origin)
    case .ofOtherVersion:
      reader.refuse()
      failed(.versionMismatch, origin, isTold: false)
    case .forTeam(let client):
      let (source, wasMet) = (origin.source, origin.wasMet)
      switch limiter.greeted(number, from: source, wasMet: wasMet, as: client, at: Loop.now) {
      case .refuse:
        reader.close()
        refused(.tooManyConnections, origin.address)
      case .take(let evicted):
        if let evicted { evict(evicted) }
        shakeHands(number, reader, origin)
      }
    }
  }

  private func closeSilent() {
    let count = deadlines.firstIndex { $0.instant > Loop.now && greetings[$0.number] != nil } ?? deadlines.count
    for (number, _) in deadlines.prefix(count) {
      guard let (reader, origin) = greetings.removeValue(forKey: number) else { continue }
      limiter.left(number)
      reader.close()
      failed(.handshakeTimedOut, origin)
    }
    deadlines.removeFirst(count)
    timer?.set(deadlines.first?.instant)
  }

  private func evict(_ number: UInt64) {
    limiter.left(number)
    if let (reader, origin) = greetings.removeValue(forKey: number) {
      reader.close()
      refused(.tooManyConnections, origin.address)
    } else if let connection = handshakes.removeValue(forKey: number) {
      connection.abandon()
      refused(.tooManyConnections, connection.address)
    }
  }

  private func refused(_ reason: Reason, _ address: SocketAddress?, isTold: Bool = true) {
    refusals.refused(reason, address, isTold: isTold)
  }

  /// The connection was useless and took this machine's time.
  ///
  /// - Parameter isTold: False for what a stranger can pretend, which the log alone says.
  private func failed(_ reason: Reason, _ origin: Origin, isTold: Bool = true) {
    if !origin.wasMet { limiter.failed(from: origin.source, at: Loop.now) }
    refused(reason, origin.address, isTold: isTold)
  }

  // MARK: Handshakes

  /// Serves a peer with which a relay has joined this machine, as both had agreed. It takes no room of others.
  ///
  /// - Parameters:
  ///   - descriptor: This object takes ownership.
  ///   - peer: Nobody else is served.
  ///   - address: The relay's.
  ///   - received: What has already arrived.
  ///   - ended: Called once: with the reason if the handshake fails, and without one when the connection is closed.
  func take(
    relayed descriptor: Int32,
    of peer: PeerID,
    at address: SocketAddress?,
    received: [UInt8],
    ended: @escaping @Loop (Reason?) -> Void
  ) {
    guard let context, let tls = try? TLSEngine(context, toleratesClocks: false) else {
      Sockets.close(descriptor)
      return ended(.internalFailure)
    }
    lastNumber += 1
    let number = lastNumber
    handshakesBegun += 1
    let connection = TLSConnection(owning: descriptor, address: address, isRelayed: true, tls: tls) {
      [weak self] event in
      guard let self, let connection = self.handshakes[number] else { return }
      switch event {
      case .established:
        guard connection.isSession(with: peer) else {
          self.handshakes[number] = nil
          connection.finish()
          return ended(.otherTeam)
        }
        connection.whenClosed { ended(nil) }
        self.established(number)
      case .ended(let reason):
        self.handshakes[number] = nil
        // It may come from the relay.
        ended(connection.tls.isOnlySaid ? .handshakeTimedOut : reason)
      case .frame, .batchEnd, .turnEnd, .violation, .space: break
      }
    }
    handshakes[number] = connection
    connection.start(received: received)
  }

  private func shakeHands(_ number: UInt64, _ reader: GreetingReader, _ origin: Origin) {
    guard let (descriptor, received) = reader.release() else {
      limiter.left(number)
      return refused(.tooManyConnections, origin.address)
    }
    let isOwn = Sockets.localAddress(of: descriptor)?.bytes == origin.address.bytes
    guard let context, let tls = try? TLSEngine(context, toleratesClocks: origin.wasMet, isOwn: isOwn) else {
      limiter.left(number)
      Sockets.close(descriptor)
      return refused(.teamNotFound, origin.address)
    }
    handshakesBegun += 1
    let connection = TLSConnection(owning: descriptor, address: origin.address, tls: tls) { [weak self] event in
      switch event {
      case .established: self?.established(number)
      case .ended(let reason): self?.ended(number, origin, reason)
      case .frame, .batchEnd, .turnEnd, .violation, .space: break
      }
    }
    handshakes[number] = connection
    connection.start(received: received)
  }

  private func established(_ number: UInt64) {
    guard let connection = handshakes.removeValue(forKey: number) else { return }
    limiter.left(number)
    host.accepted(connection)
  }

  private func ended(_ number: UInt64, _ origin: Origin, _ reason: Reason) {
    limiter.left(number)
    let isTold = handshakes.removeValue(forKey: number)?.tls.isOnlySaid != true
    // A dialler that reached us at several addresses at the same time drops all connections but one.
    if reason != .peerUnreachable { failed(reason, origin, isTold: isTold) }
    if reason == .versionMismatch, isTold { refusals.otherVersions.add(origin.address) }
  }
}

extension TLSConnection {
  fileprivate func isSession(with peer: PeerID) -> Bool {
    tls.application == .peer && tls.team == peer.team && tls.peer == peer.device
  }
}
