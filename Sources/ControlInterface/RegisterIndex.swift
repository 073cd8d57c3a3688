import Activity
import JSONCoding
import Varlink

/// Makes the caller the program that exchanges the user's search index with other machines, for as long as the
/// connection lasts. Called with `more`.
package enum RegisterIndex: Method {
  package static let name = "io.baton.Handoff.RegisterIndex"
  package static let requiredMode: Call.Mode? = .more

  package typealias Parameters = Nothing

  package enum Event: String, CaseIterable, Codable, Sendable {
    case registered
    /// `teams` are all teams for which the caller speaks, `unusable` the names of those that cannot be used.
    case teams
    /// A session with a device of these teams has begun or ended, or the device has another name.
    case peer
    /// The program of another machine has sent `message`.
    case message
  }

  /// The type `IndexTeam`.
  package struct Team: Structure {
    /// The Team ID as people see it.
    package let id: String
    package let name: String
    /// This machine's ID in the team.
    package let deviceID: DeviceID
    /// The devices that were removed from the team.
    package let removed: [DeviceID]

    package init(id: String, name: String, deviceID: DeviceID, removed: [DeviceID]) {
      self.id = id
      self.name = name
      self.deviceID = deviceID
      self.removed = removed
    }
  }

  package struct Reply: Structure {
    package let event: Event
    /// With `teams`.
    package var teams: [Team]?
    /// With `teams`, if there are any.
    package var unusable: [String]?
    /// With `peer` and `message`: the Team ID as people see it, and the device.
    package var team: String?
    package var deviceID: DeviceID?
    /// With `peer`: the name of the device.
    package var device: String?
    /// With `peer`: whether there is a session with the device.
    package var connected: Bool?
    /// With `message`.
    @Coded<IndexMessage?> package var message: JSON? = nil

    package init(event: Event) { self.event = event }

    package static func teams(_ teams: [Team], beside unusable: [String]) -> Reply {
      var reply = Reply(event: .teams)
      (reply.teams, reply.unusable) = (teams, unusable.isEmpty ? nil : unusable)
      return reply
    }

    package static func peer(_ device: DeviceID, of team: String, name: String, connected: Bool) -> Reply {
      var reply = Reply(event: .peer)
      (reply.team, reply.deviceID, reply.device, reply.connected) = (team, device, name, connected)
      return reply
    }

    package static func message(_ message: JSON, from device: DeviceID, of team: String) -> Reply {
      var reply = Reply(event: .message)
      (reply.team, reply.deviceID, reply.message) = (team, device, message)
      return reply
    }
  }
}
