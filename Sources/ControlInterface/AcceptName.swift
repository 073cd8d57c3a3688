import Activity
import JSONCoding
import Varlink

/// Gives a device the name that it calls itself, though another device had that.
package enum AcceptName: Method {
  package static let name = "io.baton.Handoff.AcceptName"

  package struct Parameters: Structure {
    package let deviceID: DeviceID
    /// The team's ID. Nil is allowed if the device is in only one of the user's teams.
    package let team: String?

    package init(deviceID: DeviceID, team: String? = nil) {
      self.deviceID = deviceID
      self.team = team
    }
  }

  package struct Reply: Structure {
    /// What the device is called now.
    package let device: String
    package let deviceID: DeviceID
    package let team: String
    /// The device that had the name; nil if none had.
    package let former: DeviceID?

    package init(device: String, deviceID: DeviceID, team: String, former: DeviceID? = nil) {
      self.device = device
      self.deviceID = deviceID
      self.team = team
      self.former = former
    }
  }
}
