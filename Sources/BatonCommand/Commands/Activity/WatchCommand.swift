import ControlClient
import ControlInterface

enum WatchCommand: Command {
  static let words = ["watch"]
  static let synopsis = "[--type TYPE] [--team ID]"
  static let summary = "Follow what the other machines offer, one line for each change."
  static let details = """
    First what is offered now, then each change, until interrupted.
    With --json, on each line: {"event": "offered" | "changed" | "withdrawn", "offer": {...}},
    the offer as in `baton list --json`.
    """
  static let options = OfferOptions.options

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let connection = try ControlConnection(path: arguments.value("socket"))
    TeamText.noteWithoutTeam(arguments, output)
    var replies = try connection.replies(of: ListOffers.self, OfferOptions.parameters(arguments))
    var offers: [ControlOffer] = []
    while let reply = try replies.next() {
      let new = OfferOptions.filtered(reply.offers, arguments)
      for change in OfferChange.between(offers, new) {
        try output.result(change.json, text(change))
      }
      offers = new
    }
    throw ControlError.disconnected
  }

  private static func text(_ change: OfferChange) -> String {
    let event = change.event.rawValue
    let padding = String(repeating: " ", count: max(0, 9 - event.count))
    return "\(Times.clock(Times.now))  \(event)\(padding)  \(ActivityText.shortID(change.offer))  "
      + ActivityText.line(change.offer)
  }
}
