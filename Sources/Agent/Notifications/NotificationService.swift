import Activity
import ControlClient
import ControlInterface
import EventLoop
import Notifications
import Systemd
import Varlink

/// Shows what other machines offer and could be continued here.
@Loop
final class NotificationService: AgentPart {
  private let socket: String?
  private let offers: OfferWatch
  private let describe: @Loop (ControlOffer) -> OfferNotice?
  private var shell: NotificationShell?
  private var known: [ControlOffer] = []
  /// Offers that are being opened, for notifications.
  private var opening: [ActivityID: ControlCall<OpenOffer>] = [:]

  /// - Parameters:
  ///   - socket: The daemon's; nil for the one that the user means.
  ///   - describe: What to say of an offer; nil where nothing here could continue it.
  init(socket: String?, log: Log, describe: @escaping @Loop (ControlOffer) -> OfferNotice?) {
    self.socket = socket
    self.describe = describe
    offers = OfferWatch(socket: socket)
    offers.onChange = { [weak self] in self?.changed($0) }
    shell = NotificationShell(log: log) { [weak self] in self?.open($0, $1, completion: $2) }
  }

  func start() {
    shell?.start()
    offers.start()
  }

  func stop(_ completion: @escaping @Loop () -> Void) {
    offers.stop()
    opening = [:]
    shell?.stop(completion: completion) ?? completion()
  }

  func stop() { stop {} }

  func applicationsChanged() { changed(known) }

  private func changed(_ offers: [ControlOffer]) {
    known = offers
    shell?.offersChanged(offers.compactMap(describe))
  }

  private func open(_ activity: ActivityID, _ token: String?, completion: @escaping @Loop (String?) -> Void) {
    let token = token.flatMap { OpenOffer.isActivationToken($0) ? $0 : nil }
    let parameters = OpenOffer.Parameters(id: activity, activationToken: token)
    do throws(ControlError) {
      opening[activity] = try ControlCall(OpenOffer.self, parameters, path: socket) { [weak self] result in
        self?.opening[activity] = nil
        switch result {
        case .success: completion(nil)
        case .failure(let error): completion(error.description)
        }
      }
    } catch {
      let why = error.description
      Task { @Loop in completion(why) }
    }
  }
}
