import ControlInterface
import DesktopEntries
import Notifications

extension OfferNotice {
  /// What to say of an offer; nil where nothing here could continue it: no app is installed or runs, and it has no web page
  /// or there is nothing to show it with.
  init?(_ offer: ControlOffer, _ catalog: ApplicationCatalog, _ environment: ProcessEnvironment) {
    let application = catalog.applications(for: offer.activityType, team: offer.team).first { application in
      application.tryExec.map { environment.program($0) != nil } ?? true
    }
    let showsPage = offer.hasWebPage && environment.program("xdg-open") != nil
    guard application != nil || offer.hasApplication || showsPage else { return nil }
    self.init(
      id: ID(activity: offer.id, deviceID: offer.deviceID),
      activityType: offer.activityType,
      title: offer.title,
      application: application?.name,
      showsPage: application == nil && !offer.hasApplication,
      icon: application?.icon,
      device: offer.device
    )
  }
}
