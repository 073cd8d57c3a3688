import Activity
import ControlClient
import ControlInterface

/// Finds the offer that a command's arguments select: ID, --latest, --type, --wait.
enum OfferSearch {
  /// - Throws: `UsageError`, `ControlError`, and `CommandError` if none fits.
  static func find(_ arguments: ArgumentList, helpHint: String) throws -> (ControlOffer, device: DeviceID?) {
    let choice = OfferChoice(
      id: arguments.operands.first,
      latest: arguments.has("latest"),
      needsStream: arguments.has("stream")
    )
    if choice.id != nil, choice.latest { throw UsageError("Either ID or --latest.", hint: helpHint) }
    var deadline = ContinuousClock.now
    if let wait = arguments.value("wait") {
      guard let seconds = TimeSpan.seconds(wait) else {
        throw UsageError("--wait is a time such as 30s or 5m, not \(wait).", hint: helpHint)
      }
      deadline += .seconds(seconds)
    }
    let nothing = CommandError(choice.id == nil ? .nothingOffered : .activityNotFound)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let parameters = OfferOptions.parameters(arguments)
    guard arguments.value("wait") != nil else {
      let offers = OfferOptions.filtered(try connection.call(ListOffers.self, parameters).offers, arguments)
      guard let offer = try choice.choose(from: offers) else { throw nothing }
      return offer
    }
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
