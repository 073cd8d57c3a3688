import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import VarlinkClient

/// Describes teams.
enum TeamText {
  static let none =
    """
    You are not in a team on this machine. Create one with `baton team create NAME`, or join one with `baton team join`.
    """

  /// Tells users that they are in no team. Otherwise they would wait in vain for offers of other machines, and offer to
  /// nobody.
  static func noteWithoutTeam(_ arguments: ParsedArguments, _ output: Output) {
    guard !output.isJSON else { return }
    let status = try? arguments.connect().call(GetStatus.self, Nothing())
    guard status?.teams.isEmpty == true else { return }
    let reply = try? arguments.connect().call(ListTeams.self, Nothing())
    output.note(reply.map(note) ?? none)
  }

  /// Says if the machine that makes a code and the one that uses it cannot find each other, before people wait.
  static func noteWithoutDiscovery(_ arguments: ParsedArguments, _ output: Output, isJoining: Bool = false) {
    guard !output.isJSON, let status = try? arguments.connect().call(GetStatus.self, Nothing()) else { return }
    let cause: String? =
      switch status.discovery {
      case .running: nil
      case .muted: isJoining ? nil : "Avahi lets no program announce this machine"
      case .connecting: "Avahi is not running"
      case .disabled: "Discovery is turned off"
      }
    guard let cause else { return }
    let command = isJoining ? "`baton team join --address HOST`" : "`baton team join --address HOST` there"
    output.note("\(cause), so the two machines do not find each other. Run \(command). `baton doctor` says more.")
  }

  /// The note for a user without a usable team.
  static func note(_ reply: ListTeams.Reply) -> String {
    reply.unusable.isEmpty ? none : reply.unusable.map(text).joined(separator: "\n")
  }

  static func text(_ team: ControlUnusableTeam) -> String {
    let name = team.name.map { "Your team \"\(Printable.text($0))\"" } ?? "A team"
    return "\(name) cannot be used: \(Printable.text(team.fault)). `baton doctor` says what to do."
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
          device.deviceID.description, Printable.text(device.name), device.administrator ? "administrator" : "member",
          Times.relative(device.admitted, to: Times.now),
          device.revoked.map { Times.relative($0, to: Times.now) } ?? "",
        ]
      },
      head: ["ID", "NAME", "ROLE", "ADMITTED", "REMOVED"]
    )
  }

  private static func role(_ team: ControlTeam) -> String {
    team.passphrase ? "administrator, with a passphrase" : team.administrator ? "administrator" : "member"
  }

  static func list(_ teams: [ControlTeam]) -> String {
    Table.text(
      teams.map { team in
        [
          team.id.description, Printable.text(team.name), role(team),
          team.deviceID.description, Times.relative(team.expires, to: Times.now),
        ]
      },
      head: ["ID", "NAME", "ROLE", "THIS DEVICE", "CERTIFICATE EXPIRES"]
    )
  }
}
