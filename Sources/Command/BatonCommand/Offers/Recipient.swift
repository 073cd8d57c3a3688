// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

/// A machine that a person names, for example to send something there.
struct Recipient: Equatable {
  /// What people can call it: the ID if the machine has not given a name.
  let name: String
  let deviceID: DeviceID
  /// The Team ID as people see it. Nil if only the daemon knows it.
  let team: String?
  var isConnected = false
  /// What it calls itself, if that name belongs to another machine.
  var claim: String?

  /// Finds the one machine that a user means.
  ///
  /// - Parameters:
  ///   - text: Its name, or a prefix of its ID with at least 4 digits.
  ///   - team: The ID or the name of its team. Nil for all of the user's teams.
  static func find(_ text: String, team: String?, _ connection: ControlConnection) throws -> Recipient {
    let (teams, met) = try machines(team: team, connection)
    guard !teams.isEmpty else { throw CommandError(.teamNotFound) }
    // An administrator also knows machines that this one has never met.
    var admitted: [Recipient] = []
    for team in teams where team.administrator {
      let devices = try connection.call(ListDevices.self, ListDevices.Parameters(team: team.id.description)).devices
      for device in devices where device.revoked == nil && device.deviceID != team.deviceID {
        if !met.contains(where: { $0.deviceID == device.deviceID }) { admitted.append(Recipient(device, in: team)) }
      }
    }
    if let recipient = try choose(text, from: met, and: admitted) { return recipient }
    // The daemon knows more than it lists: also machines that it met before it was started.
    guard let id = DeviceID(text: text.uppercased()) else { throw CommandError(.peerNotFound) }
    return Recipient(name: id.description, deviceID: id, team: team)
  }

  /// The teams that a user means, and the machines in them that this one has met or found.
  private static func machines(
    team: String?,
    _ connection: ControlConnection
  ) throws -> (teams: [ControlTeam], machines: [Recipient]) {
    let reply = try connection.call(ListTeams.self, Nothing())
    // A team that cannot be used does not give its name away.
    let isTaken = reply.unusable.contains { $0.name?.hasBytes(of: team ?? "") ?? false }
    let teams = reply.teams.filter {
      guard let team else { return true }
      return $0.id.description == team.uppercased() || (!isTaken && $0.name.hasBytes(of: team))
    }
    let machines = try connection.call(ListPeers.self, Nothing()).peers.map(Recipient.init)
    return (teams, machines.filter { machine in teams.contains { $0.id.description == machine.team } })
  }

  /// The machines that this one has met or found, by their names.
  ///
  /// - Parameter team: The ID or the name of a team. Nil for all of the user's teams.
  static func all(team: String?, _ connection: ControlConnection) throws -> [Recipient] {
    let (teams, machines) = try machines(team: team, connection)
    guard !teams.isEmpty else { throw CommandError(.teamNotFound) }
    return machines.sorted { $0.name < $1.name }
  }

  /// Finds a machine that was met or found, for `baton machine accept`. Only its ID or its whole label names it, and
  /// not the name that it wants.
  static func met(_ text: String, team: String?, _ connection: ControlConnection) throws -> Recipient {
    let met = try machines(team: team, connection).machines
    guard let recipient = try choose(text, from: met) else { throw CommandError(.peerNotFound) }
    return recipient
  }

  /// - Parameters:
  ///   - recipients: The machines that this one has met or found.
  ///   - admitted: Others. Their names count only if no machine of `recipients` matches.
  /// - Returns: Nil if none matches.
  /// - Throws: `deviceAmbiguous`; `nameTaken` if the machine that the name belongs to is not connected, and another
  ///   one calls itself so.
  static func choose(
    _ text: String,
    from recipients: [Recipient],
    and admitted: [Recipient] = []
  ) throws(CommandError) -> Recipient? {
    let byID = (recipients + admitted).filter { $0.hasDigits(text) }
    var found = recipients.filter { $0.isCalled(text) }
    if found.isEmpty, byID.isEmpty { found = admitted.filter { $0.isCalled(text) } }
    found += byID.filter { other in !found.contains { $0.deviceID == other.deviceID && $0.team == other.team } }
    guard found.count <= 1 else { throw ambiguous(found) }
    let key = NameKey(text)
    let claimants = recipients.filter { machine in
      machine.deviceID != found.first?.deviceID && machine.claim.map { NameKey($0) == key } == true
    }
    guard claimants.isEmpty || found.first?.isConnected == true || !byID.isEmpty else {
      throw taken(text, by: claimants, from: found.first)
    }
    return found.first
  }

  /// By bytes, because others can look the same.
  private func isCalled(_ text: String) -> Bool { name.utf8.elementsEqual(text.utf8) }

  private func hasDigits(_ text: String) -> Bool {
    let digits = text.uppercased().utf8
    return digits.count >= DeviceNames.shortestID && deviceID.text.utf8.starts(with: digits)
  }

  private static func ambiguous(_ found: [Recipient]) -> CommandError {
    let severalTeams = Set(found.map(\.team)).count > 1
    let choices = found.map { choice in
      let (id, name) = (choice.deviceID.text, Printable.text(choice.name))
      guard severalTeams, let team = choice.team else { return "  \(id)  \(name)" }
      return "  \(id)  " + localized("\(name) in the team \(Printable.text(team))")
    }
    let text =
      severalTeams
      ? localized("More than one machine matches. Enter more of its ID, or use `--team`:")
      : localized("More than one machine matches. Enter more of its ID:")
    return CommandError(.deviceAmbiguous, ([text] + choices).joined(separator: "\n"))
  }

  static func taken(_ text: String, by claimants: [Recipient], from owner: Recipient?) -> CommandError {
    let name = Printable.text(text)
    let others = claimants.map { machine in
      "  \(machine.deviceID.text)  " + localized("now uses the name \(Printable.text(machine.claim ?? ""))")
    }
    let first = owner.map { "  \($0.deviceID.text)  " + localized("used to be \(name), and isn't connected") }
    let text = localized(
      """
      A different machine used to have the name \(name). Specify one by its ID, or accept the new one with \
      `baton machine accept \(claimants[0].deviceID.text.prefix(8))`:
      """
    )
    return CommandError(.nameTaken, ([text] + [first].compactMap(\.self) + others).joined(separator: "\n"))
  }
}

extension Recipient {
  fileprivate init(_ peer: ControlPeer) {
    let name = peer.device.isEmpty ? peer.deviceID.description : peer.device
    self.init(
      name: name,
      deviceID: peer.deviceID,
      team: peer.team,
      isConnected: peer.state == .connected,
      claim: peer.claim
    )
  }

  fileprivate init(_ device: ControlDevice, in team: ControlTeam) {
    let name = device.name.isEmpty ? device.deviceID.description : device.name
    self.init(name: name, deviceID: device.deviceID, team: team.id.description)
  }
}
