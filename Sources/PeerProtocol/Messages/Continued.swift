import Activity
import JSON

/// What became of a payload.
package struct Continued: MessageBody {
  package static let type: UInt8 = 12

  package var activity: ActivityID
  /// An app has it. False: nobody has, and the activity may go to somebody else.
  package var delivered: Bool

  package init(activity: ActivityID, delivered: Bool) {
    self.activity = activity
    self.delivered = delivered
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    activity = try members.required("activity", \.activityID)
    delivered = try members.required("delivered", \.bool)
  }

  package var members: [String: JSON] {
    ["activity": JSON(activity), "delivered": .bool(delivered)]
  }
}
