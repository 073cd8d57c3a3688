import Activity
import JSONCoding
import Varlink

/// Takes over an offer: fetches the activity, and tells its origin.
package enum Continue: Method {
  package static let name = "io.baton.Handoff.Continue"

  package struct Parameters: Structure {
    package let id: ActivityID
    /// The device whose offer to continue. Nil for the device that offered the activity first.
    package let deviceID: DeviceID?

    package init(id: ActivityID, deviceID: DeviceID? = nil) {
      self.id = id
      self.deviceID = deviceID
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      id = try members.activityID("id")
      deviceID = try members.optionalDeviceID("deviceID")
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["id": .string(id.description)]
      members["deviceID"] = deviceID.map { .string($0.text) }
      return members
    }
  }

  package struct Reply: Structure {
    package let activity: ControlActivity
    /// The name of the device that the activity comes from.
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
