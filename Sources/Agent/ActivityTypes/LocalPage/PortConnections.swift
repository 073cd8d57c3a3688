// SPDX-License-Identifier: Apache-2.0

/// The connections that share one stream, at one of its ends: which frames to send, and what the other side may do.
///
/// Each direction of each connection has a window, so that a slow reader stops only its own connection.
///
/// Legal transitions of a connection: open → ended here or there → gone; open → gone.
package struct PortConnections: Sendable {
  package typealias ID = UInt32

  package enum Event: Equatable, Sendable {
    /// Only at the origin: the receiver wants a connection to a port. Refuse it with ``reset(_:_:)``, or begin to send.
    case opened(ID, port: UInt16)
    case received(ID, ArraySlice<UInt8>)
    /// More may be sent.
    case space(ID)
    /// Nothing more will be received.
    case ended(ID)
    case reset(ID, ForwardingFailure)
    /// Only at the receiver: the origin gives the stream up, and says why.
    case refused(ForwardingFailure)
  }

  private struct Connection {
    /// How many bytes may be sent.
    var credit = LocalPageLimits.window
    /// How many bytes were received and not taken.
    var untaken = 0
    /// How many bytes were taken since the other side was told.
    var untold = 0
    var hasEndedHere = false
    var hasEndedThere = false
  }

  private let isOrigin: Bool
  private var connections: [ID: Connection] = [:]
  /// The number of the newest connection. Those up to it that are not there are gone.
  private var last: ID = 0

  /// - Parameter isOrigin: Whether the servers are here.
  package init(isOrigin: Bool) { self.isOrigin = isOrigin }

  package var count: Int { connections.count }

  package func contains(_ id: ID) -> Bool { connections[id] != nil }

  /// How many bytes may be sent now.
  package func credit(_ id: ID) -> Int {
    guard let connection = connections[id], !connection.hasEndedHere else { return 0 }
    return connection.credit
  }

  // MARK: This side

  /// Opens a connection.
  ///
  /// - Returns: Nil if there are too many.
  package mutating func open(port: UInt16) -> (id: ID, frame: PortFrame)? {
    guard !isOrigin, connections.count < LocalPageLimits.connections, last < ID.max else { return nil }
    last += 1  // Checked: below the maximum.
    connections[last] = Connection()
    return (last, .open(last, port: port))
  }

  /// - Parameter bytes: At most ``credit(_:)``; the rest is left out.
  package mutating func send(_ id: ID, _ bytes: ArraySlice<UInt8>) -> [PortFrame] {
    var rest = bytes.prefix(credit(id))
    connections[id]?.credit -= rest.count  // Checked: at most the credit.
    var frames: [PortFrame] = []
    while !rest.isEmpty {
      frames.append(.data(id, rest.prefix(PortFrame.payloadLength)))
      rest = rest.dropFirst(PortFrame.payloadLength)
    }
    return frames
  }

  /// The program here has taken bytes.
  package mutating func take(_ id: ID, _ count: Int) -> PortFrame? {
    guard var connection = connections[id] else { return nil }
    let count = min(count, connection.untaken)
    connection.untaken -= count  // Checked: at most that.
    connection.untold += count  // Checked: at most the window.
    defer { connections[id] = connection }
    // Telling of each piece would take as many frames as the pieces themselves.
    guard connection.untold >= LocalPageLimits.window / 4, !connection.hasEndedThere else { return nil }
    defer { connection.untold = 0 }
    return .taken(id, count: UInt32(clamping: connection.untold))
  }

  /// Nothing more is sent.
  package mutating func end(_ id: ID) -> PortFrame? {
    guard let connection = connections[id], !connection.hasEndedHere else { return nil }
    connections[id]?.hasEndedHere = true
    removeIfOver(id)
    return .end(id)
  }

  package mutating func reset(_ id: ID, _ failure: ForwardingFailure) -> PortFrame? {
    connections.removeValue(forKey: id) == nil ? nil : .reset(id, failure)
  }

  // MARK: The other side

  /// - Throws: If the other side does what it must not.
  package mutating func receive(_ frame: PortFrame) throws(MalformedPortFrame) -> (event: Event?, reply: PortFrame?) {
    if case .open(let id, let port) = frame { return try opened(id, port) }
    let id = frame.connection
    if case .reset(PortFrame.stream, let failure) = frame, !isOrigin { return (.refused(failure), nil) }
    guard var connection = connections[id] else {
      // Both sides can give it up at the same time.
      guard id <= last, id > 0 else { throw MalformedPortFrame() }
      return (nil, nil)
    }
    switch frame {
    case .open: throw MalformedPortFrame()
    case .data(_, let bytes):
      // What was taken and not told yet is not free for the other side.
      guard !connection.hasEndedThere,
        bytes.count <= LocalPageLimits.window - connection.untaken - connection.untold  // Checked: below the window.
      else { throw MalformedPortFrame() }
      connection.untaken += bytes.count  // Checked: at most the window.
      connections[id] = connection
      return (.received(id, bytes), nil)
    case .taken(_, let count):
      let (credit, isOver) = connection.credit.addingReportingOverflow(Int(clamping: count))
      guard !isOver, credit <= LocalPageLimits.window else { throw MalformedPortFrame() }
      connections[id]?.credit = credit
      return (.space(id), nil)
    case .end:
      guard !connection.hasEndedThere else { throw MalformedPortFrame() }
      connections[id]?.hasEndedThere = true
      removeIfOver(id)
      return (.ended(id), nil)
    case .reset(_, let failure):
      connections[id] = nil
      return (.reset(id, failure), nil)
    }
  }

  private mutating func opened(_ id: ID, _ port: UInt16) throws(MalformedPortFrame) -> (Event?, PortFrame?) {
    guard isOrigin, id > last else { throw MalformedPortFrame() }
    last = id
    guard connections.count < LocalPageLimits.connections else { return (nil, .reset(id, .tooMany)) }
    connections[id] = Connection()
    return (.opened(id, port: port), nil)
  }

  private mutating func removeIfOver(_ id: ID) {
    if let connection = connections[id], connection.hasEndedHere, connection.hasEndedThere { connections[id] = nil }
  }
}
