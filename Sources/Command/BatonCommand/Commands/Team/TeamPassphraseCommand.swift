// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum TeamPassphraseCommand: Command {
  static let words = ["team", "passphrase"]
  static let group = HelpGroup.teams
  static let summary = localized("Set, change or remove the passphrase of the team's key.")
  static let details = localized(
    """
    The passphrase encrypts the key on this machine. You need it to invite, approve,
    promote or remove a machine. It unlocks the key for 15 minutes. To change it,
    enter the current one first, unless you've just unlocked the key with
    `baton team unlock`.

    Certificates expire after a year, and are renewed only while the key is
    unlocked. So run `baton team unlock` from time to time; `baton doctor` reminds
    you. If you forget the passphrase, you need `baton team renew`.
    """
  )
  private static let remove = Option.flag("remove", localized("Store the key without a passphrase."))
  static let options: [any AnyOption] = [TeamOption.one, remove, Passphrase.option]
  static let examples: [CommandExample] = [
    ("baton team passphrase", localized("Set or change the passphrase.")),
    ("baton team passphrase --remove", localized("Remove it.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let connection = try arguments.connect()
    let team = arguments[TeamOption.one]
    let isRemoval = arguments[remove]
    guard !isRemoval || arguments[Passphrase.option] == nil else {
      throw UsageError(localized("Use either '--remove' or '--passphrase-file', not both."), hint: syntax.hint)
    }
    let passphrase = isRemoval ? nil : try Passphrase.read(arguments, isNew: true, of: .key)
    let parameters = SetPassphrase.Parameters(team: team, passphrase: passphrase)
    let reply = try LockedKey.call(SetPassphrase.self, parameters, team: team, nil, on: connection)
    let name = TeamText.name(reply.team)
    try output.result(
      reply.json,
      reply.team.passphrase
        ? localized("The key of the team \(name) is now protected by this passphrase.")
        : localized("The key of the team \(name) no longer has a passphrase.")
    )
  }
}
