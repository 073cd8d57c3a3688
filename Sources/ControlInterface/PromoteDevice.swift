import JSONCoding
import Varlink

/// Gives the team's key to a device of the team.
package enum PromoteDevice: Method {
  package static let name = "io.baton.Handoff.PromoteDevice"

  package struct Parameters: Structure {
    /// The device's name or a prefix of its ID.
    package let device: String
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(device: String, team: String? = nil) {
      self.device = device
      self.team = team
    }
  }

  package struct Reply: Structure {
    package let device: ControlDevice

    package init(device: ControlDevice) { self.device = device }
  }
}
