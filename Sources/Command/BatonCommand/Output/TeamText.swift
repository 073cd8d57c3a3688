// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

/// Describes teams.
enum TeamText {
  static let none = localized(
    """
    You're not in a team on this machine. Create one with `baton team create NAME`, or join one with `baton team join`.
    """
  )

  /// Tells users that they are in no team. Otherwise they would wait in vain for offers of other machines, and offer to
  /// nobody.
  static func noteWithoutTeam(_ arguments: ParsedArguments, _ output: Output) {
    guard !output.isJSON else { return }
    let status = try? arguments.connect().call(GetStatus.self, Nothing())
    guard status?.teams.isEmpty == true else { return }
    let reply = try? arguments.connect().call(ListTeams.self, Nothing())
    output.note(reply.map(note) ?? none)
  }

  /// What to do with a new code on the other machine.
  ///
  /// - Parameter command: The command that asks for the code there.
  static func invitation(_ invitation: InviteDevice.Reply, enteredIn command: String, _ output: Output) -> String {
    localized(
      """

          \(output.strong(Printable.text(invitation.code)))

      On the other machine, run

          \(command)

      and enter this code. It admits one machine and expires \(Times.relative(invitation.expires, to: Times.now)), at \
      \(Times.clock(invitation.expires)).
      Anyone with this code can join, so keep it private.
      """
    )
  }

  /// Says if the machine that makes a code and the one that uses it cannot find each other, before people wait.
  static func noteWithoutDiscovery(_ arguments: ParsedArguments, _ output: Output, isJoining: Bool = false) {
    guard !output.isJSON, let status = try? arguments.connect().call(GetStatus.self, Nothing()) else { return }
    let cause: String? =
      switch status.discovery {
      case .running: nil
      case .muted:
        isJoining
          ? nil
          : localized("Avahi doesn't let programs announce this machine, so the two machines can't find each other.")
      case .connecting: localized("Avahi isn't running, so the two machines can't find each other.")
      case .disabled: localized("Discovery is turned off, so the two machines can't find each other.")
      }
    guard let cause else { return }
    let advice =
      isJoining
      ? localized("Run `baton team join --address HOST`. For details, run `baton doctor`.")
      : localized("On the other machine, run `baton team join --address HOST`. For details, run `baton doctor`.")
    output.note("\(cause) \(advice)")
  }

  /// The note for a user without a usable team.
  static func note(_ reply: ListTeams.Reply) -> String {
    reply.unusable.isEmpty ? none : reply.unusable.map(text).joined(separator: "\n")
  }

  static func text(_ team: ControlUnusableTeam) -> String {
    let fault = Printable.text(team.fault)
    guard let name = team.name.map({ Printable.text($0) }) else {
      return localized("One of your teams can't be used: \(fault). For advice, run `baton doctor`.")
    }
    return localized("Your team \"\(name)\" can't be used: \(fault). For advice, run `baton doctor`.")
  }

  static func name(_ team: ControlTeam) -> String { "\"\(Printable.text(team.name))\" (\(team.id))" }

  static func name(_ device: ControlDevice) -> String {
    let id = device.deviceID.description
    return device.name.isEmpty ? id : "\"\(Printable.text(device.name))\" (\(id))"
  }

  static func list(_ devices: [ControlDevice]) -> String {
    Table.text(
      devices.map { device in
        [
          device.deviceID.description, Printable.text(device.name),
          device.administrator ? localized("admin") : localized("member"),
          Times.relative(device.admitted, to: Times.now),
          device.revoked.map { Times.relative($0, to: Times.now) } ?? "",
        ]
      },
      head: [
        localized("ID"), localized("NAME"), localized("ROLE"), localized("ADMITTED"), localized("REMOVED"),
      ]
    )
  }

  private static func role(_ team: ControlTeam) -> String {
    if team.passphrase { return localized("admin, with a passphrase") }
    return team.administrator ? localized("admin") : localized("member")
  }

  static func list(_ teams: [ControlTeam]) -> String {
    Table.text(
      teams.map { team in
        [
          team.id.description, Printable.text(team.name), role(team),
          team.deviceID.description, Times.relative(team.expires, to: Times.now),
        ]
      },
      head: [
        localized("ID"), localized("NAME"), localized("ROLE"), localized("THIS MACHINE"),
        localized("CERTIFICATE EXPIRES"),
      ]
    )
  }
}
