// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum ListCommand: Command {
  static let words = ["list"]
  static let group = HelpGroup.everyday
  static let summary = localized("List offers from your other machines.")
  static let details = localized(
    """
    To continue one, run `baton continue ID`. The start of the ID is enough.

    With --json, the output is {"offers": [{"id", "activityType", "title",
    "hasWebPage", "webpageHost", "hasApplication", "supportsContinuationStreams",
    "device", "deviceID", "team", "source", "generation", "isSent"}]}. The
    generation changes each time an offer reappears after it ended or was taken.
    isSent is present if the activity was sent to this machine.
    """
  )
  private static let long = Option.flag(
    "long",
    localized("Show full IDs, raw types, and which offers have a live connection.")
  )
  static let options: [any AnyOption] = OfferOptions.all + [long]
  static let examples: [CommandExample] = [
    ("baton list", localized("See the offers from your other machines.")),
    ("baton list --from laptop --long", localized("See only the laptop's offers, with all details.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let origin = try OfferOptions.origin(arguments)
    let connection = try arguments.connect()
    let all = try connection.call(ListOffers.self, OfferOptions.parameters(arguments)).offers
    let reply = ListOffers.Reply(offers: OfferOptions.filtered(all, origin))
    if reply.offers.isEmpty, OfferOptions.isGiven(in: arguments) {
      output.note(localized("No offers match. Run `baton list` to see all of them."))
    } else if all.isEmpty {
      output.note(localized("Your other machines aren't offering anything."))
      TeamText.noteWithoutTeam(arguments, output)
    }
    if output.isJSON || !reply.offers.isEmpty {
      let isLong = arguments[long]
      try output.result(reply.json, ActivityText.offers(reply.offers, isLong: isLong))
    }
  }
}
