// SPDX-License-Identifier: Apache-2.0

/// Finds frames in bytes that arrive in pieces of any length. It holds less than one frame and one piece.
package struct TerminalFrameDecoder: Sendable {
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
  package mutating func next() throws(MalformedTerminalFrame) -> TerminalFrame? {
    while true {
      var rest = buffer
      guard let number = rest.popFirst(), let length = rest.takeUInt16() else { return nil }
      guard length <= TerminalFrame.payloadLength else { throw MalformedTerminalFrame() }
      guard rest.count >= length else { return nil }
      buffer = rest.dropFirst(Int(length))
      guard let kind = TerminalFrame.Kind(rawValue: number) else { continue }
      return try TerminalFrame(kind, rest.prefix(Int(length)))
    }
  }
}
