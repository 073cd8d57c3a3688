import Activity
import Continuation
import ControlInterface
import EventLoop
import Teams
import VarlinkService

extension ControlServer {
  func listOffers(_ parameters: ListOffers.Parameters, _ exchange: Exchange<ListOffers>) {
    exchange.failing { () throws(Reason) in
      let team = try parameters.team.map { text throws(Reason) in try membership.team(text, of: exchange.user).id }
      let view = OfferLists.View(user: exchange.user, activityType: parameters.activityType, team: team)
      let watcher = OfferWatcher(exchange, view, offerLists)
      watcher.update()
      if !exchange.isFinished { offerLists.watchers.add(watcher, for: exchange) }
    }
  }
}

/// A client of `ListOffers`, which receives the list whenever it has changed.
@Loop
final class OfferWatcher: ListWatcher {
  private let exchange: Exchange<ListOffers>
  private let view: OfferLists.View
  private let lists: OfferLists
  private var last: SharedReply<ListOffers>?

  init(_ exchange: Exchange<ListOffers>, _ view: OfferLists.View, _ lists: OfferLists) {
    self.exchange = exchange
    self.view = view
    self.lists = lists
  }

  var user: UserID { exchange.user }
  var isBehind: Bool { exchange.isBehind }

  @discardableResult
  func update() -> Int {
    let (list, cost) = lists.list(view, isFirst: last == nil)
    if list !== last {
      last = list
      exchange.replyContinuing(list)
    }
    return cost
  }
}

extension ControlOffer {
  init(_ offer: VisibleOffer, hasApplication: Bool) {
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
      isSent: offer.isSent
    )
  }
}
