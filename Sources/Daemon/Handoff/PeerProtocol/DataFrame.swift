// SPDX-License-Identifier: Apache-2.0

import Activity

/// The only binary message: bytes of a continuation stream and their offset (Protocol.md sections 4 and 7).
package struct DataFrame: Equatable, Sendable {
  package static let type: UInt8 = 15
  /// The bytes of a data frame before those of the stream: the frame's header, the stream's number and the offset.
  package static let headerLength = FrameHeader.length + payloadHeaderLength
  /// The most bytes of a stream that one frame carries.
  package static let maximumCount = Limits.framePayloadLength - payloadHeaderLength
  private static let payloadHeaderLength = 12

  package let stream: UInt32
  /// How many bytes of this direction were sent before.
  package let offset: UInt64
  package let bytes: ArraySlice<UInt8>

  /// - Throws: `Reason.protocolViolation` if the payload contains no byte of a stream.
  package init(payload: ArraySlice<UInt8>) throws(Reason) {
    guard payload.count > Self.payloadHeaderLength else { throw .protocolViolation }
    let start = payload.startIndex
    // Checked start: the payload has all of the header.
    stream = payload.bigEndian(at: start)
    offset = UInt64(payload.bigEndian(at: start + 4)) << 32 | UInt64(payload.bigEndian(at: start + 8))
    bytes = payload.dropFirst(Self.payloadHeaderLength)
  }

  /// Returns the 16 bytes before `count` bytes of a stream, as two big-endian numbers.
  ///
  /// - Parameter count: 1 to ``maximumCount``.
  package static func header(stream: UInt32, offset: UInt64, count: Int) -> (UInt64, UInt64) {
    // Checked: the frame header has the limit.
    let header = FrameHeader(payloadLength: payloadHeaderLength + count, type: type)
    return (UInt64(header.word) << 32 | UInt64(stream), offset)
  }

  /// Returns how many bytes of a stream the frame has whose first 8 bytes these are.
  ///
  /// - Parameter header: What ``header(stream:offset:count:)`` returned.
  package static func count(header: UInt64) -> Int {
    Int(header >> 40) - payloadHeaderLength  // Checked: this side has made the frame.
  }
}
