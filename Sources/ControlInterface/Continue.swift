import Activity
import JSON
import Varlink

/// Takes an offer over: fetches the activity, and tells its origin.
package enum Continue: Method {
  package static let name = "io.baton.Handoff.Continue"

  package struct Parameters: Structure {
    package let id: ActivityID

    package init(id: ActivityID) { self.id = id }

    package init(_ members: inout Members) throws(InvalidParameter) { id = try members.activityID("id") }

    package var members: [String: JSON] { ["id": .string(id.description)] }
  }

  package struct Reply: Structure {
    package let activity: ControlActivity
    /// Name of the device that it comes from.
    package let device: String

    package init(activity: ControlActivity, device: String) {
      self.activity = activity
      self.device = device
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      activity = try members.structure("activity")
      device = try members.required("device", \.string)
    }

    package var members: [String: JSON] { ["activity": activity.json, "device": .string(device)] }
  }
}
