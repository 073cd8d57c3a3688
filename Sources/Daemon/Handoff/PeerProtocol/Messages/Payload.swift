// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The answer to a `Fetch`: the whole activity.
package struct Payload: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.payload.rawValue }

  /// The number of the fetch.
  package var request: UInt64
  package var activity: ActivityRecord

  package init(request: UInt64, activity: ActivityRecord) {
    self.request = request
    self.activity = activity
  }
}
