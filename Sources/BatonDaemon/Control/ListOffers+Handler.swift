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
      let watcher = OfferWatcher(exchange, activityType: parameters.activityType, team: team, shell, launching)
      watcher.update()
      if !exchange.isFinished { offerWatchers.add(watcher, for: exchange) }
    }
  }
}

/// A client of `ListOffers`, which receives the list whenever it has changed.
@Loop
final class OfferWatcher: ListWatcher {
  private let exchange: Exchange<ListOffers>
  private let activityType: String?
  private let team: TeamID?
  private let shell: ContinuationShell
  private let launching: LaunchingShell
  private var last: ListOffers.Reply?

  init(
    _ exchange: Exchange<ListOffers>,
    activityType: String?,
    team: TeamID?,
    _ shell: ContinuationShell,
    _ launching: LaunchingShell
  ) {
    self.exchange = exchange
    self.activityType = activityType
    self.team = team
    self.shell = shell
    self.launching = launching
  }

  var user: UserID { exchange.user }
  var isBehind: Bool { exchange.isBehind }

  @discardableResult
  func update() -> Int {
    let all = shell.offers(for: exchange.user)
    let offers = all.filter { offer in
      (activityType ?? offer.activity.activityType) == offer.activity.activityType
        && (team ?? offer.peer.team) == offer.peer.team
    }
    let reply = ListOffers.Reply(
      offers: offers.map { offer in
        let type = offer.activity.activityType
        return ControlOffer(offer, hasApplication: launching.machine.hasApplication(for: type, user: exchange.user))
      }
    )
    if reply != last {
      last = reply
      exchange.replyContinuing(reply)
    }
    // The offers that the filter drops take time, too.
    return 1 + all.count
  }
}

extension ControlOffer {
  fileprivate init(_ offer: VisibleOffer, hasApplication: Bool) {
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
