// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import VarlinkServer

extension ControlServer {
  func openOffer(_ parameters: OpenOffer.Parameters, _ exchange: Exchange<OpenOffer>) {
    exchange.failing { () throws(Reason) in
      guard let offer = shell.offer(parameters.id, from: parameters.deviceID, for: exchange.user) else {
        throw .activityNotFound
      }
      guard parameters.shown?.isOf(offer.activity) ?? true else { throw .activityChanged }
      let isPage = offer.activity.activityType == ActivityRecord.webPageType
      // An advert does not name the host. The session that begins soon does.
      if isPage, offer.activity.webpageHost == nil { throw offer.source == .advert ? .peerUnreachable : .urlInvalid }
      let opened = Launching.Offer(
        id: offer.activity.id,
        activityType: offer.activity.activityType,
        title: offer.activity.title,
        peer: offer.peer,
        hasWebPage: offer.activity.hasWebPage && offer.activity.webpageHost != nil,
        webpageHost: offer.activity.webpageHost
      )
      let client = launching.open(opened, activationToken: parameters.activationToken, exchange.user) { reason in
        if let reason { exchange.fail(reason) } else { exchange.reply(OpenOffer.Reply()) }
      }
      guard !exchange.isFinished else { return }
      exchange.onClosed = { [weak launching] in launching?.remove(client) }
    }
  }
}
