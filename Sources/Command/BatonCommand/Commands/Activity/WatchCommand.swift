// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import Localization
import VarlinkClient

enum WatchCommand: Command {
  static let words = ["watch"]
  static let group = HelpGroup.scripts
  static let summary = localized("Show offers from your other machines as they change.")
  static let details = localized(
    """
    The command lists the current offers, and then prints one line for each change,
    until you press Ctrl+C.

    With --json, each line is {"event", "offer": {...}}. The event is "offered",
    "changed" or "withdrawn"; the offer is as in `baton list --json`.
    """
  )
  static let options = OfferOptions.all
  static let examples: [CommandExample] = [
    ("baton watch", localized("Follow the offers of all your machines.")),
    ("baton watch --json --from laptop", localized("Follow the laptop's offers in a script.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let origin = try OfferOptions.origin(arguments)
    let connection = try arguments.connect()
    TeamText.noteWithoutTeam(arguments, output)
    var replies = try connection.replies(of: ListOffers.self, OfferOptions.parameters(arguments))
    var offers: [ControlOffer] = []
    var isFirst = true
    while let reply = try replies.next() {
      let new = OfferOptions.filtered(reply.offers, origin)
      // A terminal that a desktop opens for this would be empty.
      if isFirst, new.isEmpty {
        output.note(localized("Nothing is offered right now. New offers appear here until you press Ctrl+C."))
      }
      isFirst = false
      for change in OfferChange.between(offers, new) {
        try output.result(change.json, text(change))
      }
      offers = new
    }
    throw ControlError.disconnected
  }

  private static func text(_ change: OfferChange) -> String {
    let event = labels[change.event] ?? ""
    return "\(Times.clock(Times.now))  \(event)  \(ActivityText.shortID(change.offer))  "
      + ActivityText.line(change.offer)
  }

  private static let labels = Table.padded([
    OfferChange.Event.offered: localized("offered"), .changed: localized("changed"), .withdrawn: localized("ended"),
  ])
}
