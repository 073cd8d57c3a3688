// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachineAddCommand: Command {
  static let words = ["machine", "add"]
  static let formerWords = [["peer", "add"]]
  static let group = HelpGroup.teams
  static let summary = localized("Add the address of a machine that Baton can't find.")
  static let details = localized(
    """
    Use this for a machine in your team that is on another subnet or that you reach
    over a VPN. Whenever the two aren't connected, this machine tries the address,
    until you run `baton machine remove`. You need to do this on only one of the
    two. HOST is a name or an address. Write an IPv6 address with a port as
    [ADDRESS]:PORT.
    """
  )
  static let options: [any AnyOption] = [TeamOption.one]
  static let operand: Operand? = .required("HOST[:PORT]", .host)
  static let examples: [CommandExample] = [
    ("baton machine add nas.example.org", localized("Connect to a machine on another network.")),
    ("baton machine add [fd7a::2]:22866", localized("Connect to an IPv6 address and port.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let address = arguments.requiredOperand
    let connection = try arguments.connect()
    let parameters = AddPeer.Parameters(address: address, team: arguments[TeamOption.one])
    let reply = try connection.call(AddPeer.self, parameters)
    let name = Printable.text(reply.peer.address)
    try output.result(reply.json, localized("Added \(name). To see whether it answers, run `baton machine list`."))
  }
}
