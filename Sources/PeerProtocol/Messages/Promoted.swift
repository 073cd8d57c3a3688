import Activity
import JSONCoding

/// The result of a `Promote`.
package struct Promoted: MessageBody {
  package static let messageType = MessageType.promoted

  /// Why the sender is not an administrator; nil if it is one now.
  package var reason: Reason?

  package init(reason: Reason? = nil) { self.reason = reason }
}
