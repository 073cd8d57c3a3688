// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What became of a payload.
package struct Continued: MessageBody {
  package static var type: UInt8 { HandoffMessage.Number.continued.rawValue }

  package var activity: ActivityID
  /// Whether an app has received it. If false, no app has, and the activity can go to another peer.
  package var delivered: Bool

  package init(activity: ActivityID, delivered: Bool) {
    self.activity = activity
    self.delivered = delivered
  }
}
