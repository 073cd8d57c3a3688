import Activity
import JSONCoding

/// Asks for the whole activity, to continue it.
package struct Fetch: MessageBody {
  package static let messageType = MessageType.fetch

  /// A number that the sender chooses and uses once per session.
  package var request: UInt64
  package var activity: ActivityID

  package init(request: UInt64, activity: ActivityID) {
    self.request = request
    self.activity = activity
  }
}
