import Activity
import JSONCoding
import Varlink

/// The type `Peer`: another machine of one of the user's teams.
package struct ControlPeer: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case connected, connecting, unreachable
  }

  /// How a session reaches the machine.
  package enum Path: String, CaseIterable, Codable, Sendable {
    /// Over a link that both machines are on.
    case link
    /// Over a router or a VPN.
    case routed
    /// At an address learned from a server or a DNS zone.
    case rendezvous
    case relay
  }

  /// What people are shown, and can call the device. It is the name that the device gives itself, unless another device
  /// had that first; then the first digits of the ID follow.
  package let device: String
  package let deviceID: DeviceID
  /// The Team ID as people see it.
  package let team: String
  package let state: State
  /// The address at which the machine was last reached: `HOST:PORT`.
  package let address: String?
  /// Why the machine is not connected.
  package let reason: Reason?
  /// Nil without a session.
  package let path: Path?
  /// The time of a round trip, in milliseconds; nil if it was not measured.
  package let roundTrip: Double?
  /// What the device calls itself, if that is not `device`.
  package let claim: String?
  /// Since when there is no session with the machine, in seconds since 1970-01-01 00:00:00 UTC. Nil if there is one, or
  /// if there never was.
  package let awaySince: Int64?

  package init(
    device: String,
    deviceID: DeviceID,
    team: String,
    state: State,
    address: String? = nil,
    reason: Reason? = nil,
    path: Path? = nil,
    roundTrip: Double? = nil,
    claim: String? = nil,
    awaySince: Int64? = nil
  ) {
    self.device = device
    self.deviceID = deviceID
    self.team = team
    self.state = state
    self.address = address
    self.reason = reason
    self.path = path
    self.roundTrip = roundTrip
    self.claim = claim
    self.awaySince = awaySince
  }
}
