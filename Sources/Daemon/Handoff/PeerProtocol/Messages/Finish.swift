// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Ends one direction of a stream.
package struct Finish: MessageBody {
  package static var type: UInt8 { StreamMessage.Number.finish.rawValue }

  package var stream: UInt32
  /// How many bytes were sent in this direction.
  package var length: UInt64

  package init(stream: UInt32, length: UInt64) {
    self.stream = stream
    self.length = length
  }
}
