// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Says that the stream is over in both directions and was not complete.
package struct Reset: MessageBody {
  package static var type: UInt8 { StreamMessage.Number.reset.rawValue }

  package var stream: UInt32
  package var reason: Reason

  package init(stream: UInt32, reason: Reason) {
    self.stream = stream
    self.reason = reason
  }
}
