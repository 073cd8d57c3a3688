// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import Teams
import VarlinkServer

extension ControlServer {
  func listOffers(_ parameters: ListOffers.Parameters, _ exchange: Exchange<ListOffers>) {
    exchange.failing { () throws(Reason) in
      let team = try parameters.team.map { text throws(Reason) in try membership.team(text, of: exchange.user).id }
      offerLists.watch(exchange, OfferView(user: exchange.user, activityType: parameters.activityType, team: team))
    }
  }

  /// Makes the list of offers that a client gets.
  static func offers(
    _ view: OfferView,
    _ shell: ContinuationShell,
    _ launching: LaunchingShell
  ) -> (ListOffers.Reply, cost: Int) {
    let all = shell.offers(for: view.user)
    let offers = all.filter(view.shows).map { offer in
      let type = offer.activity.activityType
      let hasApplication = launching.machine.hasApplication(for: type, user: view.user)
      return ControlOffer(offer, hasApplication: hasApplication, isHere: shell.isHere(offer, for: view.user))
    }
    // The offers that the filter drops take time, too.
    return (ListOffers.Reply(offers: offers), all.count)
  }
}

/// Which offers a client sees.
struct OfferView: Hashable {
  let user: UserID
  /// Nil for all.
  let activityType: String?
  let team: TeamID?

  fileprivate func shows(_ offer: VisibleOffer) -> Bool {
    (activityType ?? offer.activity.activityType) == offer.activity.activityType
      && (team ?? offer.peer.team) == offer.peer.team
  }
}

extension ControlOffer {
  fileprivate init(_ offer: VisibleOffer, hasApplication: Bool, isHere: Bool) {
    self.init(
      id: offer.activity.id,
      activityType: offer.activity.activityType,
      title: offer.activity.title,
      supportsContinuationStreams: offer.activity.supportsContinuationStreams,
      hasWebPage: offer.activity.hasWebPage,
      webpageHost: offer.activity.webpageHost,
      hasApplication: hasApplication,
      device: offer.deviceName,
      deviceID: offer.peer.device,
      team: offer.peer.team.description,
      source: offer.source == .session ? .session : .advert,
      generation: Int(clamping: offer.generation),
      isSent: offer.isSent,
      isHere: isHere
    )
  }
}
