import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousRemoveCommand: Command {
  static let words = ["rendezvous", "remove"]
  static let group = HelpGroup.servers
  static let summary = "Meet only on your networks from now on."
  static let details = """
    Your machines forget the servers. Stop the servers with
    `sudo baton-rendezvous stop` there.
    """
  static let options: [any AnyOption] = [TeamOption.one]
  static let examples: [CommandExample] = [
    ("baton rendezvous remove", localized("Stop using servers.")),
    ("baton rendezvous remove --team K7Q2M9XW4T", localized("Stop using servers in one of your teams.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let parameters = RemoveRendezvous.Parameters(team: arguments[TeamOption.one])
    _ = try arguments.connect().call(RemoveRendezvous.self, parameters)
    try output.result([:], "Your machines meet only on their networks.")
  }
}
