import Activity
import JSONCoding

/// Asks for the whole activity, to continue it.
package struct Fetch: MessageBody {
  package static let type: UInt8 = 9

  /// A number that the sender chooses and uses once per session.
  package var request: UInt64
  package var activity: ActivityID

  package init(request: UInt64, activity: ActivityID) {
    self.request = request
    self.activity = activity
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    request = try members.required("request", \.uint64)
    activity = try members.required("activity", \.activityID)
  }

  package var members: [String: JSON] {
    ["request": JSON(request), "activity": JSON(activity)]
  }
}
