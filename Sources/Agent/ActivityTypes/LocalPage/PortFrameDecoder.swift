// SPDX-License-Identifier: Apache-2.0

/// Finds frames in bytes that arrive in pieces of any length. It holds less than one frame and one piece.
package struct PortFrameDecoder: Sendable {
  private var buffer: ArraySlice<UInt8> = []

  package init() {}

  /// The number of bytes that wait for the rest of their frame.
  package var pendingCount: Int { buffer.count }

  package mutating func receive(_ bytes: some Sequence<UInt8>) {
    // A slice keeps the bytes before it, too.
    buffer = Array(buffer)[...]
    buffer += bytes
  }

  /// Returns the next whole frame; nil if it has not arrived yet. Frames of unknown kinds are skipped.
  package mutating func next() throws(MalformedPortFrame) -> PortFrame? {
    while true {
      var rest = buffer
      guard let kind = rest.popFirst(), let id = Self.number(4, &rest), let length = Self.number(2, &rest) else {
        return nil
      }
      guard length <= PortFrame.payloadLength else { throw MalformedPortFrame() }
      guard rest.count >= length else { return nil }
      let payload = rest.prefix(Int(length))
      buffer = rest.dropFirst(Int(length))
      guard let kind = PortFrame.Kind(rawValue: kind) else { continue }
      return try Self.frame(kind, id, payload)
    }
  }

  private static func frame(
    _ kind: PortFrame.Kind,
    _ id: UInt32,
    _ payload: ArraySlice<UInt8>
  ) throws(MalformedPortFrame) -> PortFrame {
    var rest = payload
    switch kind {
    case .open:
      guard let port = number(2, &rest).flatMap({ UInt16(exactly: $0) }), port > 0, rest.isEmpty else { break }
      return .open(id, port: port)
    case .data:
      guard !payload.isEmpty else { break }
      return .data(id, payload)
    case .taken:
      guard let count = number(4, &rest), count > 0, rest.isEmpty else { break }
      return .taken(id, count: count)
    case .end:
      guard payload.isEmpty else { break }
      return .end(id)
    case .reset:
      guard let number = rest.popFirst(), rest.isEmpty else { break }
      // A newer machine may have more reasons.
      return .reset(id, ForwardingFailure(rawValue: number) ?? .broken)
    }
    throw MalformedPortFrame()
  }

  private static func number(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> UInt32? {
    guard bytes.count >= count else { return nil }
    var number: UInt32 = 0
    for _ in 0..<count { number = number << 8 | UInt32(bytes.popFirst() ?? 0) }
    return number
  }
}
