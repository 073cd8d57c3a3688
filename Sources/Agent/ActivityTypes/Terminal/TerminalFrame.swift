// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A message of a live terminal: what goes through the continuation stream of an `io.baton.terminal` activity
/// (ActivityTypes.md, "Live terminals").
package enum TerminalFrame: Equatable, Sendable {
  case hello(TerminalHello)
  case welcome(TerminalWelcome)
  /// What was typed, or what the terminal shows.
  case data(ArraySlice<UInt8>)
  case size(TerminalSize)
  /// The receiver leaves the session, which goes on.
  case detach
  case end(TerminalEnd)
  /// The receiver asks whether the origin is there.
  case ping
  /// The origin's answer.
  case pong

  /// The maximum length of a frame's payload in bytes: several times what a terminal gives at a time.
  package static let payloadLength = 16 * 1024
  package static let headerLength = 3

  package enum Kind: UInt8, CaseIterable, Sendable {
    case hello = 1
    case welcome = 2
    case data = 3
    case size = 4
    case detach = 5
    case end = 6
    case ping = 7
    case pong = 8
  }

  /// - Parameter payload: At most ``payloadLength`` bytes.
  /// - Throws: `MalformedTerminalFrame`.
  init(_ kind: Kind, _ payload: ArraySlice<UInt8>) throws(MalformedTerminalFrame) {
    switch kind {
    case .hello: self = .hello(try Self.structure(payload))
    case .welcome: self = .welcome(try Self.structure(payload))
    case .end: self = .end(try Self.structure(payload))
    case .detach: self = .detach
    case .ping: self = .ping
    case .pong: self = .pong
    case .data: self = .data(payload)
    case .size:
      var rest = payload
      guard let columns = rest.takeUInt16(), let rows = rest.takeUInt16() else { throw MalformedTerminalFrame() }
      self = .size(TerminalSize(columns: Int(columns), rows: Int(rows)))
    }
  }

  /// The frame as it is sent. Data of any length makes as many frames as it needs.
  package var bytes: [UInt8] {
    switch self {
    case .hello(let hello): Self.frame(.hello, hello.json.bytes[...])
    case .welcome(let welcome): Self.frame(.welcome, welcome.json.bytes[...])
    case .end(let end): Self.frame(.end, end.json.bytes[...])
    case .detach: Self.frame(.detach, [])
    case .ping: Self.frame(.ping, [])
    case .pong: Self.frame(.pong, [])
    case .size(let size): Self.frame(.size, [size.columns, size.rows].flatMap(\.bigEndianBytes)[...])
    case .data(let bytes): Self.data(bytes)
    }
  }

  private static func data(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      let piece = rest.prefix(payloadLength)
      output += frame(.data, piece)
      rest = rest.dropFirst(piece.count)
    }
    return output
  }

  private static func frame(_ kind: Kind, _ payload: ArraySlice<UInt8>) -> [UInt8] {
    [kind.rawValue] + UInt16(clamping: payload.count).bigEndianBytes + payload
  }

  private static func structure<S: Structure>(_ payload: ArraySlice<UInt8>) throws(MalformedTerminalFrame) -> S {
    // The messages are flat.
    guard let json = try? JSON(parsing: payload, depth: 2), let structure = S(json: json) else {
      throw MalformedTerminalFrame()
    }
    return structure
  }
}

/// The other side does not speak the protocol.
package struct MalformedTerminalFrame: Error, Equatable, Sendable {
  package init() {}
}

extension UInt16 {
  fileprivate var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}

extension ArraySlice<UInt8> {
  /// Removes two bytes, and returns their value. Nil if there are fewer.
  mutating func takeUInt16() -> UInt16? {
    guard let high = popFirst(), let low = popFirst() else { return nil }
    return UInt16(high) << 8 | UInt16(low)
  }
}
