import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum ListCommand: Command {
  static let words = ["list"]
  static let group = HelpGroup.everyday
  static let summary = "List what the other machines offer."
  static let details = """
    To continue one of them, run `baton continue ID`. A prefix of the ID is enough.

    With --json, the output is {"offers": [{"id", "activityType", "title",
    "hasWebPage", "webpageHost", "hasApplication", "supportsContinuationStreams",
    "device", "deviceID", "team", "source", "generation", "isSent"}]}. The
    generation differs each time the offer appears again after it was withdrawn or
    taken. isSent is there if the activity was sent to this machine.
    """
  static let options = OfferOptions.all
  static let examples: [CommandExample] = [
    ("baton list", localized("See what your other machines offer.")),
    ("baton list --from laptop --long", localized("See only what the laptop offers, with all details.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let origin = try OfferOptions.origin(arguments)
    let connection = try arguments.connect()
    let all = try connection.call(ListOffers.self, OfferOptions.parameters(arguments)).offers
    let reply = ListOffers.Reply(offers: OfferOptions.filtered(all, origin))
    if reply.offers.isEmpty, OfferOptions.isGiven(in: arguments) {
      output.note("Nothing that is offered matches; `baton list` shows everything.")
    } else if all.isEmpty {
      output.note("No other machine is offering anything.")
      TeamText.noteWithoutTeam(arguments, output)
    }
    if output.isJSON || !reply.offers.isEmpty { try output.result(reply.json, ActivityText.offers(reply.offers)) }
  }
}
