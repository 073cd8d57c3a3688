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
    /// What the person was shown. If the offer is something else by now, it is not taken over.
    package let shown: ShownOffer?

    package init(id: ActivityID, deviceID: DeviceID? = nil, shown: ShownOffer? = nil) {
      self.id = id
      self.deviceID = deviceID
      self.shown = shown
    }
  }

  package struct Reply: Structure {
    package let activity: ControlActivity
    /// The name of the device that the activity comes from.
    package let device: String
    /// Where the activity comes from.
    @Coded<OriginCoding> package var origin: Origin

    package init(activity: ControlActivity, device: String, origin: Origin) {
      self.activity = activity
      self.device = device
      self.origin = origin
    }
  }
}
