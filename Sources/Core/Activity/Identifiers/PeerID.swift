// SPDX-License-Identifier: Apache-2.0

/// Another device, as a member of one team.
package struct PeerID: Hashable, Sendable, CustomStringConvertible {
  package let team: TeamID
  package let device: DeviceID

  package init(team: TeamID, device: DeviceID) {
    self.team = team
    self.device = device
  }

  package var description: String { device.description }
}
