import Activity
import JSONCoding
import Varlink

/// The type `Peer`: another machine of one of the user's teams.
package struct ControlPeer: Structure {
  package enum State: String, CaseIterable, Sendable {
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

  package init(_ members: inout Members) throws(InvalidParameter) {
    device = try members.required("device", \.string)
    deviceID = try members.deviceID("deviceID")
    team = try members.required("team", \.string)
    state = try members.choice("state")
    address = try members.optional("address", \.string)
    reason = try members.reason("reason")
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [
      "device": .string(device), "deviceID": .string(deviceID.text), "team": .string(team),
      "state": .string(state.rawValue),
    ]
    members["address"] = address.map(JSON.string)
    members["reason"] = reason.map { .string($0.rawValue) }
    return members
  }
}
