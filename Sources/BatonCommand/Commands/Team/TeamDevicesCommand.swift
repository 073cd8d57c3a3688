import ControlClient
import ControlInterface
import JSONCoding

enum TeamDevicesCommand: Command {
  static let words = ["team", "devices"]
  static let synopsis = "[--team ID]"
  static let summary = "List the devices that were admitted to your team, and which were removed."
  static let options: [Option] = [.value("team", "ID", "The team; needed where you have several.")]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    let reply = try connection.call(ListDevices.self, ListDevices.Parameters(team: arguments.value("team")))
    if reply.devices.isEmpty { output.note("This machine has admitted no other; `baton team invite` makes a code.") }
    if output.isJSON || !reply.devices.isEmpty { try output.result(reply.json, TeamText.list(reply.devices)) }
  }
}
