import Activity
import JSONCoding

/// Says that an activity of the sender is current, or that its summary has changed.
package struct Offer: MessageBody {
  package static let messageType = MessageType.offer

  /// Type, title and flags; no `userInfo`.
  package var activity: ActivityRecord
  /// Increases with each change within an epoch.
  package var counter: UInt64

  package init(activity: ActivityRecord, counter: UInt64) {
    self.activity = activity
    self.counter = counter
  }
}
