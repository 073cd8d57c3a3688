// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// One kind of message: a JSON object in a frame of its own type.
package protocol MessageBody: Structure {
  /// The type of its frames. Those from ``FrameHeader/firstIgnorableType`` on were added after version 1, and daemons
  /// that do not know them ignore them.
  static var type: UInt8 { get }
}

extension MessageBody {
  /// The whole frame.
  package var frame: [UInt8] {
    let payload = json.bytes
    let word = FrameHeader(payloadLength: payload.count, type: Self.type).word
    // Checked: four bytes of eight bits.
    return (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } + payload
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not the expected JSON object.
  package init(payload: ArraySlice<UInt8>) throws(Reason) {
    guard let json = try? JSON(parsing: payload, depth: Limits.messageDepth), let body = Self(json: json) else {
      throw .protocolViolation
    }
    self = body
  }
}
