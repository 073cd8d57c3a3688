import JSONCoding
import Varlink

/// Lists the devices that this machine or another administrator has admitted to a team.
package enum ListDevices: Method {
  package static let name = "io.baton.Handoff.ListDevices"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(team: String? = nil) { self.team = team }
  }

  package struct Reply: Structure {
    /// The devices, the oldest first.
    package let devices: [ControlDevice]

    package init(devices: [ControlDevice]) { self.devices = devices }
  }
}
