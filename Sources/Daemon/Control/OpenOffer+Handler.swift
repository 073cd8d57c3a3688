import Activity
import Continuation
import ControlInterface
import JSON
import VarlinkServer

extension ControlServer {
  func openOffer(_ parameters: OpenOffer.Parameters, _ exchange: Exchange<OpenOffer>) {
    exchange.failing { () throws(Reason) in
      let offers = shell.offers(for: exchange.user)
      guard let activity = offers.first(where: { $0.activity.id == parameters.id })?.activity else {
        throw .activityNotFound
      }
      // The one that came last is the one that the user sees.
      let application = applications.last { application in
        application.user == exchange.user && application.types.contains(activity.activityType)
      }
      guard let application else { throw .applicationNotFound }
      application.requestContinuation(activity.id, activity.activityType)
      exchange.reply(OpenOffer.Reply())
    }
  }
}
