// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

extension RegisterIndex.Reply {
  package static func teams(_ teams: [IndexTeam], beside unusable: [String]) -> Self {
    var reply = Self(event: .teams)
    (reply.teams, reply.unusable) = (teams, unusable.isEmpty ? nil : unusable)
    return reply
  }

  package static func peer(_ device: DeviceID, of team: String, name: String, connected: Bool) -> Self {
    var reply = Self(event: .peer)
    (reply.team, reply.deviceID, reply.device, reply.connected) = (team, device, name, connected)
    return reply
  }

  package static func message(_ message: JSON, from device: DeviceID, of team: String) -> Self {
    var reply = Self(event: .message)
    (reply.team, reply.deviceID, reply.message) = (team, device, message)
    return reply
  }
}
