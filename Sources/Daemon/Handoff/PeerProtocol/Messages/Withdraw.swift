// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Says that an activity of the sender is no longer offered.
package struct Withdraw: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.withdraw.rawValue }

  package var activity: ActivityID
  /// Increases with each change within an epoch.
  package var counter: UInt64

  package init(activity: ActivityID, counter: UInt64) {
    self.activity = activity
    self.counter = counter
  }
}
