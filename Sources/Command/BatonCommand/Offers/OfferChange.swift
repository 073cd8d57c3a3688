// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import JSONCoding

/// One difference between two lists of offers.
struct OfferChange: Equatable {
  enum Event: String {
    case offered, changed, withdrawn
  }

  let event: Event
  let offer: ControlOffer

  /// Returns the changes that lead from one list to the other: first what is gone, then what is new or different, in
  /// the list's order. An offer that was gone in between is withdrawn and offered again.
  ///
  /// How this machine learned of an offer does not count as a difference.
  static func between(_ old: [ControlOffer], _ new: [ControlOffer]) -> [OfferChange] {
    let gone = old.filter { before in !new.contains { isSame($0, before) } }.map {
      OfferChange(event: .withdrawn, offer: $0)
    }
    let others = new.compactMap { offer -> OfferChange? in
      guard let before = old.first(where: { isSame($0, offer) }) else {
        return OfferChange(event: .offered, offer: offer)
      }
      let isEqual =
        before.title == offer.title && before.activityType == offer.activityType && before.device == offer.device
        && before.supportsContinuationStreams == offer.supportsContinuationStreams && before.team == offer.team
        && before.isSent == offer.isSent
      return isEqual ? nil : OfferChange(event: .changed, offer: offer)
    }
    return gone + others
  }

  private static func isSame(_ left: ControlOffer, _ right: ControlOffer) -> Bool {
    left.id == right.id && left.deviceID == right.deviceID && left.generation == right.generation
  }

  var json: JSON { ["event": .string(event.rawValue), "offer": offer.json] }
}
