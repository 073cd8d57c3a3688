import Activity
import JSONCoding
import Varlink

/// The type `Peer`: another machine of one of the user's teams.
package struct ControlPeer: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case connected, connecting, unreachable
  }

  /// The name of the device.
  package let device: String
  package let deviceID: DeviceID
  /// The Team ID as people see it.
  package let team: String
  package let state: State
  /// The address at which the machine was last reached: `HOST:PORT`.
  package let address: String?
  /// Why the machine is not connected.
  package let reason: Reason?

  package init(
    device: String,
    deviceID: DeviceID,
    team: String,
    state: State,
    address: String? = nil,
    reason: Reason? = nil
  ) {
    self.device = device
    self.deviceID = deviceID
    self.team = team
    self.state = state
    self.address = address
    self.reason = reason
  }
}
