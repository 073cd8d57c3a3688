// SPDX-License-Identifier: Apache-2.0

import Activity

/// Turns bytes into whole frames. `nil` always means that more bytes are needed.
package struct FrameDecoder: Sendable {
  package struct Frame: Equatable, Sendable {
    package let type: UInt8
    /// A slice of the decoder's own buffer. Release it before the next `receive`; otherwise, that copies the buffer.
    package let payload: ArraySlice<UInt8>
  }

  private var buffer: [UInt8] = []
  /// The part of `buffer` that has not been returned yet.
  // Checked content.upperBound, space.lowerBound, index, needed, capacity: lengths of what is in memory.
  private var content = 0..<0

  package init() {}

  /// The number of bytes that wait for the rest of their frame.
  package var pendingCount: Int { content.count }

  /// Lets `fill` write up to `capacity` bytes after the existing ones.
  ///
  /// - Parameter fill: Receives the buffer and the range of its free space. It writes to the start of that range, and
  ///   returns how many bytes it wrote.
  /// - Returns: What `fill` returned.
  package mutating func receive<E>(
    upTo capacity: Int,
    _ fill: (inout MutableSpan<UInt8>, Range<Int>) throws(E) -> Int
  ) throws(E) -> Int {
    compact()
    let needed = content.upperBound + capacity
    if buffer.count < needed { buffer += Array(repeating: 0, count: needed - buffer.count) }
    let space = content.upperBound..<needed
    var span = buffer.mutableSpan
    let count = try fill(&span, space)
    precondition((0...capacity).contains(count), "\(count) bytes in a space of \(capacity)")
    content = content.lowerBound..<content.upperBound + count
    return count
  }

  package mutating func receive(_ bytes: some Collection<UInt8>) {
    _ = receive(upTo: bytes.count) { buffer, space in
      for (index, byte) in bytes.enumerated() { buffer[space.lowerBound + index] = byte }
      return bytes.count
    }
  }

  /// Returns the next whole frame; nil if more bytes are needed.
  ///
  /// - Throws: `Reason.protocolViolation` if the length is over the limit, before any memory is used for it.
  package mutating func next() throws(Reason) -> Frame? {
    guard content.count >= FrameHeader.length else { return nil }
    // Checked start, end, header.payloadLength: the payload has a limit, and within content.upperBound.
    let start = content.lowerBound
    let header = try FrameHeader(word: buffer[...].bigEndian(at: start))
    guard content.count - FrameHeader.length >= header.payloadLength else { return nil }
    let end = start + FrameHeader.length + header.payloadLength
    content = end..<content.upperBound
    return Frame(type: header.type, payload: buffer[start + FrameHeader.length..<end])
  }

  /// Frees memory that is needed only while much data arrives.
  package mutating func trim() { buffer = Array(buffer[content]); content = 0..<buffer.count }

  private mutating func compact() {
    guard content.lowerBound > 0 else { return }
    if !content.isEmpty { buffer.replaceSubrange(0..<content.count, with: Array(buffer[content])) }
    content = 0..<content.count
  }
}
