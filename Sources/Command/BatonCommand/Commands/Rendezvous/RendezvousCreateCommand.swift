// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

enum RendezvousCreateCommand: Command {
  static let words = ["rendezvous", "create"]
  static let group = HelpGroup.servers
  static let summary = localized("Set up a server: create its keys and configuration.")
  static let details = localized(
    """
    Machines that don't share a network connect through a rendezvous server. This
    command creates its keys and configuration in the new directory DIRECTORY, and
    informs your machines. Then start the server on a machine that all of them can
    reach:

        scp -r DIRECTORY server.example.org:
        sudo baton-rendezvous start DIRECTORY       (on the server)

    If you specify more than one server, they form a cluster; each of them gets the
    same directory. With --organization, the servers are for other people's teams,
    which you admit with `baton rendezvous authorize`. Without --relay, the relay is
    on the first server.
    """
  )
  private static let server = Option.list(
    "server",
    "HOST[:PORT]",
    localized("The address of a server (default port: 4222).")
  )
  private static let relay = Option.list(
    "relay",
    "HOST[:PORT]",
    localized("The address of a relay (default port: 22067).")
  )
  private static let noRelay = Option.flag("no-relay", localized("Don't use a relay."))
  private static let organization = Option.text(
    "organization",
    "NAME",
    localized("Create the servers for teams you authorize, not for your own.")
  )
  private static let replace = Option.flag("replace", localized("Replace the servers the team already has."))
  static let options: [any AnyOption] = [server, relay, noRelay, organization, replace, TeamOption.one]
  static let operand: Operand? = .required("DIRECTORY", .file)
  static let examples: [CommandExample] = [
    (
      "baton rendezvous create server --server baton.example.org",
      localized("Set up one server in the new folder \"server\".")
    ),
    (
      "baton rendezvous create acme --server baton.example.org --organization Acme",
      localized("Set up a server for other people's teams.")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let servers = arguments[server]
    guard let first = servers.first else {
      throw UsageError(
        localized("'--server' is required. It's the address at which your machines will reach the server.")
      )
    }
    let relays = arguments[noRelay] ? [] : arguments[relay].isEmpty ? [host(of: first)] : arguments[relay]
    let connection = try arguments.connect()
    let directory = try NewDirectory(arguments.requiredOperand)
    let parameters = CreateRendezvous.Parameters(
      servers: servers,
      relays: relays,
      team: arguments[TeamOption.one],
      organization: arguments[organization],
      replace: arguments[replace]
    )
    let reply = try connection.call(CreateRendezvous.self, parameters)
    do {
      for file in reply.files { try directory.write(file.content, to: file.name) }
      try directory.publish()
    } catch {
      output.note(localized("Your machines already know about the servers. Run the command again with --replace."))
      throw error
    }
    let path = Printable.text(arguments.requiredOperand)
    try output.result(
      ["directory": .string(arguments.requiredOperand), "files": .array(reply.files.map { .string($0.name) })],
      localized(
        """
        Wrote the keys and the configuration to \(path). Keep the directory secret.
        Copy it to the server, and run `sudo baton-rendezvous start DIRECTORY` there.
        """
      )
    )
  }

  /// The host without a port.
  private static func host(of address: String) -> String {
    guard !address.starts(withBytesOf: "[") else { return String(address.scalarPrefix(while: { $0 != "]" })) + "]" }
    return String(address.scalarPrefix(while: { $0 != ":" }))
  }
}
