// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Asks the origin of a continued activity for a stream to the origin's app.
package struct Open: MessageBody {
  package static var type: UInt8 { StreamMessage.Number.open.rawValue }

  /// Odd if the sender has the lower Device ID, otherwise even. Numbers increase, and are not reused in a
  /// `streamEpoch`.
  package var stream: UInt32
  package var activity: ActivityID
  /// How many bytes in total the receiver of this message may send, at first; nil for `Limits.streamWindow`.
  package var limit: UInt64?

  package init(stream: UInt32, activity: ActivityID, limit: UInt64? = Limits.streamFirstWindow) {
    self.stream = stream
    self.activity = activity
    self.limit = limit
  }
}
