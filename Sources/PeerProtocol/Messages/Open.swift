import Activity
import JSONCoding

/// Asks the origin of a continued activity for a stream to the origin's app.
package struct Open: MessageBody {
  package static let messageType = MessageType.open

  /// Odd if the sender has the lower Device ID, otherwise even. Numbers increase, and are not reused in a
  /// `streamEpoch`.
  package var stream: UInt32
  package var activity: ActivityID

  package init(stream: UInt32, activity: ActivityID) {
    self.stream = stream
    self.activity = activity
  }
}
