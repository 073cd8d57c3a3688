// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Says that the app has accepted the stream.
package struct Opened: MessageBody {
  package static var type: UInt8 { StreamMessage.Number.opened.rawValue }

  package var stream: UInt32
  /// How many bytes in total the receiver of this message may send.
  package var limit: UInt64

  package init(stream: UInt32, limit: UInt64) {
    self.stream = stream
    self.limit = limit
  }
}
