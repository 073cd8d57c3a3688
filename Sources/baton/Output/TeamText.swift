import Activity
import ControlClient
import ControlInterface
import JSON

/// Teams in words.
enum TeamText {
  static let none =
    "You are in no team on this machine; `baton team create NAME` makes one, `baton team join` joins one."

  /// Who is in no team waits in vain for what other machines offer, and offers to nobody.
  static func noteWithoutTeam(_ arguments: ArgumentList, _ output: Output) {
    guard !output.isJSON else { return }
    let status = try? ControlConnection(path: arguments.value("socket")).call(GetStatus.self, Nothing())
    if status?.teams.isEmpty == true { output.note(none) }
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
          device.deviceID.description, Printable.text(device.name), Times.relative(device.admitted, to: Times.now),
          device.revoked.map { Times.relative($0, to: Times.now) } ?? "",
        ]
      },
      head: ["ID", "NAME", "ADMITTED", "REMOVED"]
    )
  }

  static func list(_ teams: [ControlTeam]) -> String {
    Table.text(
      teams.map { team in
        [
          team.id.description, Printable.text(team.name), team.administrator ? "administrator" : "member",
          team.deviceID.description, Times.relative(team.expires, to: Times.now),
        ]
      },
      head: ["ID", "NAME", "ROLE", "THIS DEVICE", "CERTIFICATE EXPIRES"]
    )
  }
}
