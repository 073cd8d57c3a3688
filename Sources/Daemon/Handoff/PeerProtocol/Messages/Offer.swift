// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// Says that an activity of the sender is current or sent to the receiver, or that its summary has changed.
package struct Offer: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.offer.rawValue }

  /// Type, title and flags; no `userInfo`.
  package var activity: ActivityRecord
  /// Increases with each change within an epoch.
  package var counter: UInt64
  /// Whether it is offered to the receiver alone, because a person sent it there.
  @Coded<FalseByDefault> package var isSent: Bool

  package init(activity: ActivityRecord, counter: UInt64, isSent: Bool = false) {
    self.activity = activity
    self.counter = counter
    self.isSent = isSent
  }
}
