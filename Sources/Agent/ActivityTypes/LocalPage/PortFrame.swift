// SPDX-License-Identifier: Apache-2.0

/// A message about one of the connections that share the stream of a local page (ActivityTypes.md, "Local pages").
package enum PortFrame: Equatable, Sendable {
  /// The receiver opens a connection to a port of the origin. Its numbers grow.
  case open(UInt32, port: UInt16)
  /// 1 to ``payloadLength`` bytes.
  case data(UInt32, ArraySlice<UInt8>)
  /// The sender's program has taken so many bytes, so that as many more may follow.
  case taken(UInt32, count: UInt32)
  /// No bytes follow in this direction.
  case end(UInt32)
  /// The connection is gone, in both directions. With the number ``stream``, all are, and no more can be opened.
  case reset(UInt32, ForwardingFailure)

  /// The maximum length of a frame's payload in bytes. Short frames let the connections take turns.
  package static let payloadLength = 16 * 1024
  package static let headerLength = 7
  /// The number that stands for the whole stream.
  package static let stream: UInt32 = 0

  enum Kind: UInt8 { case open = 1, data = 2, taken = 3, end = 4, reset = 5 }

  package var connection: UInt32 {
    switch self {
    case .open(let id, _), .data(let id, _), .taken(let id, _), .end(let id), .reset(let id, _): id
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .open(let id, let port): Self.frame(.open, id, Self.bytes(of: port))
    case .data(let id, let bytes): Self.frame(.data, id, bytes)
    case .taken(let id, let count): Self.frame(.taken, id, Self.bytes(of: count))
    case .end(let id): Self.frame(.end, id, [])
    case .reset(let id, let failure): Self.frame(.reset, id, [failure.rawValue])
    }
  }

  private static func frame(_ kind: Kind, _ id: UInt32, _ payload: some Collection<UInt8>) -> [UInt8] {
    // Checked: arrays.
    [kind.rawValue] + bytes(of: id) + bytes(of: UInt16(clamping: payload.count)) + payload
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    // Checked: 16 or 32 bits.
    stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

/// The other side does not keep to the protocol.
package struct MalformedPortFrame: Error, Equatable, Sendable {}
