// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum MachineRemoveCommand: Command {
  static let words = ["machine", "remove"]
  static let formerWords = [["peer", "remove"]]
  static let group = HelpGroup.teams
  static let summary = localized("Remove an address you added. Existing connections stay open.")
  private static let team = Option.text(
    "team",
    "ID",
    completing: .team,
    localized("Only for this team (default: all your teams).")
  )
  static let options: [any AnyOption] = [team]
  static let operand: Operand? = .required("HOST[:PORT]", .peerAddress)
  static let examples: [CommandExample] = [
    ("baton machine remove nas.example.org", localized("Remove an address you added.")),
    ("baton machine remove [fd7a::2]:22866", localized("Remove an IPv6 address with its port.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let address = arguments.requiredOperand
    let connection = try arguments.connect()
    do throws(ControlError) {
      _ = try connection.call(RemovePeer.self, RemovePeer.Parameters(address: address, team: arguments[team]))
    } catch {
      guard case .failed(let failure) = error, failure.reason == .peerNotFound else { throw error }
      throw CommandError(
        .peerNotFound,
        localized(
          "You haven't added \(Printable.text(address)). Run `baton machine list` to see your addresses with their ports."
        )
      )
    }
    try output.result(["removed": .string(address)], localized("Removed \(Printable.text(address))."))
  }
}
