import Activity
import Continuation
import ControlInterface
import EventLoop
import JSON
import VarlinkServer

extension ControlServer {
  func openOffer(_ parameters: OpenOffer.Parameters, _ exchange: Exchange<OpenOffer>) {
    exchange.failing { () throws(Reason) in
      let offers = shell.offers(for: exchange.user)
      guard let offer = offers.first(where: { $0.activity.id == parameters.id }) else { throw .activityNotFound }
      let opened = Launching.Offer(
        id: offer.activity.id,
        activityType: offer.activity.activityType,
        team: offer.peer.team,
        hasWebPage: offer.activity.hasWebPage
      )
      let client = launching.open(opened, activationToken: parameters.activationToken, exchange.user) { reason in
        if let reason { exchange.fail(reason) } else { exchange.reply(OpenOffer.Reply()) }
      }
      guard !exchange.isFinished else { return }
      exchange.onClosed = { [weak launching] in launching?.remove(client) }
    }
  }
}
