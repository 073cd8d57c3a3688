// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// Teams, devices and activities of the machines' worlds.
enum Names {
  static let team = identifier(TeamID(bytes: Array(repeating: 1, count: 32)))
  static let otherTeam = identifier(TeamID(bytes: Array(repeating: 2, count: 32)))

  static func device(_ number: UInt8) -> DeviceID { identifier(DeviceID(bytes: Array(repeating: number, count: 32))) }

  static func peer(_ number: UInt8, team: TeamID = team) -> PeerID { PeerID(team: team, device: device(number)) }

  static func activity(_ number: Int) -> ActivityID { ActivityID(randomBytes: (UInt64(number), UInt64(number))) }

  static func record(_ number: Int) throws(Reason) -> ActivityRecord {
    var record = try ActivityRecord(id: activity(number), activityType: "org.example.reading")
    record.title = "Activity \(number)"
    return record
  }

  private static func identifier<ID>(_ id: ID?) -> ID {
    guard let id else { fatalError("An ID of another length") }
    return id
  }
}
