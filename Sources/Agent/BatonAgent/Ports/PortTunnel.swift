// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc

/// The stream of a local page at one of its ends, with the connections that share it. ``PortConnections`` decides.
@Loop
final class PortTunnel {
  /// Only at the origin: the receiver wants a connection to a port.
  var onOpen: (@Loop (TunnelConnection, UInt16) -> Void)?
  /// Only at the receiver: the origin gives the stream up.
  var onRefused: (@Loop (ForwardingFailure) -> Void)?
  /// Called once when the stream is over. All connections were reset before.
  var onEnd: (@Loop () -> Void)?

  private let channel: Channel
  private var decoder = PortFrameDecoder()
  private var table: PortConnections
  private var connections: [PortConnections.ID: TunnelConnection] = [:]
  /// The connection that sent last. The next ones have their turn before it.
  private var last: PortConnections.ID = 0

  /// At how many waiting bytes the connections wait for the stream.
  private static let bufferLength = 64 * 1024
  /// How many bytes of other frames than data may wait as well. Only an end that never reads makes that many
  /// necessary: one of 14 bytes for each quarter of a window, and for each end of a connection.
  private static let controlLength = 256 * 1024

  /// - Parameter socket: A non-blocking descriptor, of which this object makes a duplicate.
  init(_ socket: Int32, isOrigin: Bool) throws(SystemError) {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    table = PortConnections(isOrigin: isOrigin)
    channel = Channel(owning: descriptor, pieceLength: Self.bufferLength)
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in self?.end() }
    channel.onDrained = { [weak self] in self?.drained() }
    channel.isReading = true
  }

  var count: Int { connections.count }

  /// - Returns: Nil if there are too many connections.
  func open(port: UInt16) -> TunnelConnection? {
    guard !channel.isClosed, let (id, frame) = table.open(port: port) else { return nil }
    let connection = TunnelConnection(id, self)
    connections[id] = connection
    channel.write(frame.bytes)
    return connection
  }

  /// Ends the stream. No handler is called after this.
  ///
  /// - Parameter failure: Only at the origin: why. If the stream is full, the other machine doesn't hear of it.
  func close(_ failure: ForwardingFailure) {
    (onOpen, onRefused, onEnd) = (nil, nil, nil)
    for connection in connections.values { connection.forget() }
    connections = [:]
    channel.write(PortFrame.reset(PortFrame.stream, failure).bytes)
    channel.close()
  }

  // MARK: Sending

  private var isFull: Bool { channel.waitingCount >= Self.bufferLength }

  func flush(_ connection: TunnelConnection) {
    guard connections[connection.id] === connection else { return }
    while !isFull, send(connection) {}
    if connection.isAtEnd, let frame = table.end(connection.id) {
      channel.write(frame.bytes)
      removeIfGone(connection.id)
    }
  }

  /// Sends one frame, so that others have their turn.
  private func send(_ connection: TunnelConnection) -> Bool {
    let count = min(table.credit(connection.id), PortFrame.payloadLength)
    guard count > 0, connection.isFull else { return false }
    for frame in table.send(connection.id, connection.next(atMost: count)) { channel.write(frame.bytes) }
    last = connection.id
    return true
  }

  private func drained() {
    var hasSent = true
    while hasSent, !isFull {
      hasSent = false
      let ids = connections.keys.sorted()
      for id in ids.filter({ $0 > last }) + ids.filter({ $0 <= last }) where !isFull {
        guard let connection = connections[id], connection.isFull else { continue }
        if send(connection) { hasSent = true }
        settle(connection)
      }
    }
  }

  /// Continues a connection whose bytes were sent.
  private func settle(_ connection: TunnelConnection) {
    guard !connection.isFull else { return }
    if connection.isAtEnd { return flush(connection) }
    connection.onSpace?()
  }

  func take(_ id: PortConnections.ID, _ count: Int) {
    if let frame = table.take(id, count) { channel.write(frame.bytes) }
  }

  func reset(_ id: PortConnections.ID, _ failure: ForwardingFailure) {
    connections[id] = nil
    if let frame = table.reset(id, failure) { channel.write(frame.bytes) }
  }

  // MARK: Receiving

  private func received(_ bytes: UnsafeRawBufferPointer) {
    decoder.receive(bytes)
    do throws(MalformedPortFrame) {
      while !channel.isClosed, let frame = try decoder.next() {
        let (event, reply) = try table.receive(frame)
        if let reply { channel.write(reply.bytes) }
        if let event { handle(event) }
        // Waiting instead could make both ends wait for each other.
        guard channel.waitingCount <= Self.bufferLength + Self.controlLength else { return end() }
      }
    } catch {
      end()
    }
  }

  private func handle(_ event: PortConnections.Event) {
    switch event {
    case .opened(let id, let port):
      let connection = TunnelConnection(id, self)
      connections[id] = connection
      onOpen?(connection, port)
    case .received(let id, let bytes): connections[id]?.onBytes?(bytes)
    case .space(let id):
      guard let connection = connections[id], connection.isFull else { return }
      flush(connection)
      settle(connection)
    case .ended(let id):
      let handler = connections[id]?.onEnd
      connections[id]?.onEnd = nil
      removeIfGone(id)
      handler?()
    case .reset(let id, let failure):
      let handler = connections[id]?.onReset
      connections.removeValue(forKey: id)?.forget()
      handler?(failure)
    case .refused(let failure):
      onRefused?(failure)
      end(failure)
    }
  }

  /// The handlers of an ended connection stay with its owner.
  private func removeIfGone(_ id: PortConnections.ID) { if !table.contains(id) { connections[id] = nil } }

  /// Resets all connections and closes, as at the end of the stream.
  ///
  /// - Parameter failure: Why.
  func end(_ failure: ForwardingFailure = .away) {
    let all = connections.values.sorted { $0.id < $1.id }
    connections = [:]
    channel.close()
    for connection in all {
      let handler = connection.onReset
      connection.forget()
      handler?(failure)
    }
    let handler = onEnd
    (onOpen, onRefused, onEnd) = (nil, nil, nil)
    handler?()
  }
}
