// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop

extension OfferNotice {
  /// What to say about an offer. Nil if nothing here could continue it: no app for it is installed or running, and it
  /// has no web page or there is nothing to show the page with.
  init?(
    _ offer: ControlOffer,
    _ catalog: ApplicationCatalog,
    _ choices: ApplicationChoices,
    _ environment: ProcessEnvironment
  ) {
    // It is pasted, and people copy too often.
    guard offer.activityType != OpenActivityType.clipboard.rawValue else { return nil }
    let fitting = catalog.applications(for: offer.activityType, team: offer.team)
    let application = choices.ordered(fitting, activityType: offer.activityType).first { application in
      application.tryExec.map { environment.program($0) != nil } ?? true
    }
    let isPage = offer.activityType == OpenActivityType.webPage.rawValue
    // A page without a host opens nothing. An advert does not name it, but the session that follows does.
    let hasPage = offer.hasWebPage && offer.webpageHost != nil
    guard !isPage || hasPage else { return nil }
    let showsPage = hasPage && environment.program("xdg-open") != nil
    // The agent plays it.
    let isPlayed = offer.activityType == OpenActivityType.playback.rawValue && catalog.hasPlayer
    guard application != nil || offer.hasApplication || showsPage || isPlayed else { return nil }
    self.init(
      id: ID(activity: offer.id, deviceID: offer.deviceID),
      activityType: offer.activityType,
      title: offer.title,
      application: application?.name,
      // Apps in which people read have a better name for it.
      what: offer.activityType == OpenActivityType.reading.rawValue ? nil : ActivityTypeName.known(offer.activityType),
      showsPage: isPage || application == nil && !isPlayed && !offer.hasApplication,
      // Something that is not a host name would be shown as one.
      pageHost: offer.webpageHost.flatMap { WebPage.isHostName($0) ? $0 : nil },
      device: offer.device,
      isSent: offer.isSent,
      isHere: offer.isHere
    )
  }
}
