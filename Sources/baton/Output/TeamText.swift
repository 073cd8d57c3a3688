import Activity
import ControlInterface

/// Teams in words.
enum TeamText {
  static func name(_ team: ControlTeam) -> String { "\"\(Printable.text(team.name))\" (\(team.id))" }

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
