import Activity
import CommandLineOptions
import ControlClient
import ControlInterface

/// Finds the offer that a command's arguments select.
enum OfferSearch {
  static let operand = Operand.optional("ID", .offer)
  static let latest = Option.flag("latest", "Take the newest if several match.")
  static let wait = Option.time("wait", "Wait this long for a matching activity: 30, 30s, 5m.")
  static let options: [any AnyOption] = OfferOptions.all + [latest, wait]

  /// - Throws: `UsageError`, `ControlError`, and `CommandError` if no offer matches.
  static func find(
    _ arguments: ParsedArguments,
    needsStream: Bool = false,
    hint: String
  ) throws -> (ControlOffer, device: DeviceID?) {
    let choice = OfferChoice(id: arguments.operand, latest: arguments[latest], needsStream: needsStream)
    if choice.id != nil, choice.latest { throw UsageError("Give either ID or '--latest', not both.", hint: hint) }
    let nothing = CommandError(choice.id == nil ? .nothingOffered : .activityNotFound)
    let connection = try arguments.connect()
    let parameters = OfferOptions.parameters(arguments)
    guard let seconds = arguments[wait] else {
      let offers = OfferOptions.filtered(try connection.call(ListOffers.self, parameters).offers, arguments)
      guard let offer = try choice.choose(from: offers) else { throw nothing }
      return offer
    }
    let deadline = ContinuousClock.now + .seconds(seconds)
    var replies = try connection.replies(of: ListOffers.self, parameters)
    do {
      while let reply = try replies.next(until: deadline) {
        if let offer = try choice.choose(from: OfferOptions.filtered(reply.offers, arguments)) { return offer }
      }
    } catch ControlError.timedOut {
      throw nothing
    }
    throw ControlError.disconnected
  }
}
