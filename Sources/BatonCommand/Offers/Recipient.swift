import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import JSONCoding

/// The machine that an activity is sent to.
struct Recipient: Equatable {
  /// The name for people: the ID if the machine has not given one.
  let name: String
  let deviceID: DeviceID
  /// The Team ID as people see it. Nil if only the daemon knows it.
  let team: String?
  var isConnected = false

  private static let shortestID = 4

  /// Finds the one machine that a user means.
  ///
  /// - Parameters:
  ///   - text: Its name, or a prefix of its ID with at least 4 digits.
  ///   - team: The ID or the name of its team. Nil for all of the user's teams.
  static func find(_ text: String, team: String?, _ arguments: ParsedArguments) throws -> Recipient {
    let connection = try arguments.connect()
    let all = try connection.call(ListTeams.self, Nothing()).teams
    let teams = all.filter { team == nil || $0.id.description == team?.uppercased() || $0.name == team }
    guard !teams.isEmpty else { throw CommandError(.teamNotFound) }
    let peers = try connection.call(ListPeers.self, Nothing()).peers
    let present = peers.filter { peer in teams.contains { $0.id.description == peer.team } }.map(Recipient.init)
    if let recipient = try choose(text, from: present) { return recipient }
    // An administrator also knows machines that have been away since this one was started.
    var admitted: [Recipient] = []
    for team in teams where team.administrator {
      let devices = try connection.call(ListDevices.self, ListDevices.Parameters(team: team.id.description)).devices
      for device in devices where device.revoked == nil && device.deviceID != team.deviceID {
        admitted.append(Recipient(device, in: team))
      }
    }
    if let recipient = try choose(text, from: admitted) { return recipient }
    // The daemon knows more than it lists: also machines that it met before it was started.
    guard let id = DeviceID(text: text.uppercased()) else { throw CommandError(.peerNotFound) }
    return Recipient(name: id.description, deviceID: id, team: team)
  }

  /// The machines that can be reached now, by their names.
  ///
  /// - Parameter team: The ID or the name of a team. Nil for all of the user's teams.
  static func connected(team: String?, _ arguments: ParsedArguments) throws -> [Recipient] {
    let connection = try arguments.connect()
    let teams = try connection.call(ListTeams.self, Nothing()).teams
      .filter { team == nil || $0.id.description == team?.uppercased() || $0.name == team }
    let peers = try connection.call(ListPeers.self, Nothing()).peers
    let present = peers.filter { peer in teams.contains { $0.id.description == peer.team } }.map(Recipient.init)
    return present.filter(\.isConnected).sorted { $0.name < $1.name }
  }

  /// - Returns: Nil if none matches.
  /// - Throws: `deviceAmbiguous`.
  static func choose(_ text: String, from recipients: [Recipient]) throws(CommandError) -> Recipient? {
    let digits = text.uppercased()
    let found = recipients.filter { recipient in
      recipient.name == text || digits.utf8.count >= shortestID && recipient.deviceID.text.starts(withBytesOf: digits)
    }
    guard found.count > 1 else { return found.first }
    let severalTeams = Set(found.map(\.team)).count > 1
    let choices = found.map { choice in
      let team = severalTeams ? choice.team.map { " in the team \(Printable.text($0))" } ?? "" : ""
      return "  \(choice.deviceID.text)  \(Printable.text(choice.name))\(team)"
    }
    throw CommandError(
      .deviceAmbiguous,
      """
      Several machines match. Give more digits of the ID of one\(severalTeams ? ", or `--team`" : ""):
      \(choices.joined(separator: "\n"))
      """
    )
  }
}

extension Recipient {
  fileprivate init(_ peer: ControlPeer) {
    let name = peer.device.isEmpty ? peer.deviceID.description : peer.device
    self.init(name: name, deviceID: peer.deviceID, team: peer.team, isConnected: peer.state == .connected)
  }

  fileprivate init(_ device: ControlDevice, in team: ControlTeam) {
    let name = device.name.isEmpty ? device.deviceID.description : device.name
    self.init(name: name, deviceID: device.deviceID, team: team.id.description)
  }
}
