import JSONCoding
import Varlink

/// Removes a device from a team permanently.
package enum RevokeDevice: Method {
  package static let name = "io.baton.Handoff.RevokeDevice"

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
    /// Whether the device was removed before, so that nothing changed.
    package let already: Bool

    package init(device: ControlDevice, already: Bool) {
      self.device = device
      self.already = already
    }
  }
}
