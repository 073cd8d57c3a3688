// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Glibc
import JSONCoding
import Localization
import VarlinkClient

enum OpenCommand: Command {
  static let words = ["open"]
  static let group = HelpGroup.everyday
  static let summary = localized("Open an offer from another machine in its app.")
  static let details = localized(
    """
    `baton continue` picks it up in this terminal; `baton open` opens it in its app.

    If more than one running app handles the type, the one that started last
    continues the offer; among editors, it's the one you used last. If none is
    running, `baton agent` starts an installed app, or opens the offer's web page.

    ID is an ID from `baton list`, or the start of one. Without ID, exactly one
    offer must match.

    With --json, the output is {"id", "activityType"}.
    """
  )
  static let options: [any AnyOption] = OfferSearch.options
  static let operand: Operand? = OfferSearch.operand
  static let examples: [CommandExample] = [
    ("baton open --latest", localized("Open the newest offer in its app.")),
    ("baton open 1f0c77ab", localized("Open the offer with this ID from `baton list`.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    try OfferSearch.find(arguments, hint: syntax.hint) { try open($0, $1, arguments, output) }
  }

  /// - Parameter device: The device that offers it, if the person has named it.
  static func open(_ offer: ControlOffer, _ device: DeviceID?, _ arguments: ParsedArguments, _ output: Output) throws {
    let parameters = OpenOffer.Parameters(
      id: offer.id,
      deviceID: device,
      activationToken: activationToken,
      shown: offer.shown
    )
    let connection = try arguments.connect()
    _ = try connection.call(
      OpenOffer.self,
      parameters,
      output,
      awaiting: localized("Waiting for an app to start…")
    )
    let name = ActivityText.name(title: offer.title, type: offer.activityType)
    try output.result(
      ["id": .string(offer.id.description), "activityType": .string(offer.activityType)],
      localized("An app on this machine is continuing \(name) from \(Printable.text(offer.device)).")
    )
  }

  /// The token from our caller that lets the app take the focus.
  static var activationToken: String? {
    let names = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
    return names.compactMap { name in getenv(name).map { String(cString: $0) } }.first(
      where: ActivationToken.isValid
    )
  }
}
