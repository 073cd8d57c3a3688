// SPDX-License-Identifier: Apache-2.0

import Activity

/// The four bytes before each payload (Protocol.md section 4): its length and its type.
package struct FrameHeader: Equatable, Sendable {
  package static let length = 4
  /// Types from here on are extensions, which a peer ignores if it does not know them.
  package static let firstIgnorableType: UInt8 = 64

  package let payloadLength: Int
  package let type: UInt8

  /// - Parameter payloadLength: At most `Limits.framePayloadLength`.
  package init(payloadLength: Int, type: UInt8) {
    precondition((0...Limits.framePayloadLength).contains(payloadLength), "A payload of \(payloadLength) bytes")
    self.payloadLength = payloadLength
    self.type = type
  }

  /// Decodes four bytes, given as one big-endian number.
  ///
  /// - Throws: `Reason.protocolViolation` if the length is over the limit.
  package init(word: UInt32) throws(Reason) {
    let length = Int(word >> 8)
    guard length <= Limits.framePayloadLength else { throw .protocolViolation }
    self.init(payloadLength: length, type: UInt8(truncatingIfNeeded: word))
  }

  /// The header as one big-endian number.
  package var word: UInt32 { UInt32(payloadLength) << 8 | UInt32(type) }
}

extension ArraySlice<UInt8> {
  /// The big-endian number in the four bytes from `index` on, which must exist.
  func bigEndian(at index: Int) -> UInt32 {
    // Checked index: the callers have checked that the bytes exist.
    UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8 | UInt32(self[index + 3])
  }
}
