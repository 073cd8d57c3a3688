import Activity
import JSONCoding
import Varlink

/// The type `StaticPeer`: an address that a user gave, and the result of dialling it.
package struct ControlStaticPeer: Structure {
  package enum State: String, CaseIterable, Codable, Sendable {
    case connected, connecting, unreachable
    /// The address is one of this machine's own.
    case thisMachine
  }

  /// `HOST:PORT`.
  package let address: String
  /// The Team ID as people see it.
  package let team: String
  package let state: State
  /// The name of the device that last answered there.
  package let device: String?
  /// Why no machine is connected there.
  package let reason: Reason?

  package init(address: String, team: String, state: State, device: String? = nil, reason: Reason? = nil) {
    self.address = address
    self.team = team
    self.state = state
    self.device = device
    self.reason = reason
  }
}
