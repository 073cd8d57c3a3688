// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Localization
import VarlinkClient

/// Finds the offer that a command's arguments select.
enum OfferSearch {
  static let operand = Operand.optional("ID", .offer)
  static let latest = Option.flag("latest", localized("Use the newest if more than one matches."))
  static let wait = Option.time("wait", localized("Wait at most this long for a match: 30, 30s, 5m."))
  static let options: [any AnyOption] = OfferOptions.all + [latest, wait]

  /// Finds an offer, and passes it to `use`. With `--wait`, one that is gone by then does not end the wait.
  ///
  /// - Returns: What `use` returned.
  /// - Throws: What `use` throws; `UsageError`, `ControlError`, and `CommandError` if no offer matches.
  static func find<Result>(
    _ arguments: ParsedArguments,
    needsStream: Bool = false,
    hint: String,
    _ use: (ControlOffer, _ device: DeviceID?) throws -> Result
  ) throws -> Result {
    let choice = OfferChoice(
      id: arguments.operand,
      latest: arguments[latest],
      needsStream: needsStream,
      takesCopies: arguments[OfferOptions.type] != nil
    )
    if choice.id != nil, choice.latest {
      throw UsageError(localized("Use either ID or '--latest', not both."), hint: hint)
    }
    let nothing = CommandError(choice.id == nil ? .nothingOffered : .activityNotFound)
    let origin = try OfferOptions.origin(arguments)
    let connection = try arguments.connect()
    let parameters = OfferOptions.parameters(arguments)
    guard let seconds = arguments[wait] else {
      let offers = OfferOptions.filtered(try connection.call(ListOffers.self, parameters).offers, origin)
      guard let (offer, device) = try choice.choose(from: offers) else { throw nothing }
      return try use(offer, device)
    }
    let deadline = ContinuousClock.now + .seconds(seconds)
    var replies = try connection.replies(of: ListOffers.self, parameters)
    var offers: [ControlOffer] = []
    var isStale = false
    while true {
      do {
        // A machine that was restarted confirms what it offered, or it is taken from the list.
        let end = isStale ? min(deadline, .now + Limits.offerConfirmTime) : deadline
        guard let reply = try replies.next(until: end) else { throw ControlError.disconnected }
        offers = OfferOptions.filtered(reply.offers, origin)
      } catch ControlError.timedOut {
        guard isStale, .now < deadline else { throw nothing }
      }
      isStale = false
      guard let (offer, device) = try choice.choose(from: offers) else { continue }
      do {
        return try use(offer, device)
      } catch ControlError.failed(let failure) where failure.reason == .activityNotFound {
        isStale = true
      }
    }
  }
}
