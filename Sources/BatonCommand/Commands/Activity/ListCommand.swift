import ControlClient
import ControlInterface
import JSONCoding

enum ListCommand: Command {
  static let words = ["list"]
  static let synopsis = "[--type TYPE] [--team ID]"
  static let summary = "List what the other machines offer."
  static let details = """
    `baton continue ID` takes one of them over; the first digits of the ID are enough.
    With --json: {"offers": [{"id", "activityType", "title", "supportsContinuationStreams",
    "device", "deviceID", "team", "source"}]}.
    """
  static let options = OfferOptions.options

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    let all = try connection.call(ListOffers.self, OfferOptions.parameters(arguments)).offers
    let reply = ListOffers.Reply(offers: OfferOptions.filtered(all, arguments))
    if all.isEmpty {
      output.note("No other machine offers anything now.")
      TeamText.noteWithoutTeam(arguments, output)
    }
    if output.isJSON || !reply.offers.isEmpty { try output.result(reply.json, ActivityText.offers(reply.offers)) }
  }
}
