// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Systemd
import VarlinkClient
import VarlinkServer

/// Sends files to the user's other machines, and receives theirs.
@Loop
final class TransferPart: AgentPart {
  let service: TransferService
  private let socket: String?
  private let configuration: AgentConfiguration
  private let log: Log
  private var offers: OfferList?
  /// Lets people accept a transfer as they accept any other offer.
  private var registration: StandingCall<RegisterApplication>?

  let server: TransferServer

  /// - Parameter server: Where programs ask for transfers.
  /// - Returns: Nil if there is no place for files.
  init?(
    _ options: AgentOptions,
    _ environment: ProcessEnvironment,
    _ configuration: AgentConfiguration,
    on server: VarlinkServer,
    log: Log
  ) {
    guard let home = environment.directory("HOME") else {
      log.notice("Can't send or receive files, because HOME isn't set")
      return nil
    }
    let data = environment.directory("XDG_DATA_HOME") ?? "\(home)/.local/share"
    socket = options.socket
    let store = TransferStore("\(data)/baton/transfers", log: log)
    let places = ArrivalPlaces(home: home, environment)
    service = TransferService(store, home: home, places, socket: options.socket, log: log)
    self.configuration = configuration
    self.log = log
    self.server = TransferServer(service, on: server)
  }

  /// Whether the user can be asked about an offer: it is not a transfer, or one that nobody has decided about.
  func mayAsk(_ offer: ControlOffer) -> Bool {
    offer.activityType != OpenActivityType.files.rawValue || service[offer.id]?.transfer.state == .asking
  }

  /// Makes the part that shows how transfers go on.
  ///
  /// - Parameter notifications: The part that asks the user.
  func notifier(beside notifications: NotificationService, _ environment: ProcessEnvironment) -> TransferNotifier {
    let opener = FolderOpener(environment, log: log)
    let notifier = TransferNotifier(service, log: log) { [server] in
      server.isWatched($0)
    } open: {
      opener.open($0)
    }
    notifications.decline = { [service] in _ = service.cancel($0.activity) }
    notifications.onScreenChange = { [weak notifier] in notifier?.screenChanged(isLocked: $0) }
    service.observe { [weak notifier, weak notifications] id in
      notifier?.changed(id)
      notifications?.refresh()
    }
    return notifier
  }

  func start() {
    configuration.observe { [weak self] in
      guard let self else { return }
      service.settings = configuration.settings.files
    }
    service.start()
    offers = OfferList(path: socket) { [service] in service.offersChanged($0) }
    let parameters = RegisterApplication.Parameters(activityTypes: [OpenActivityType.files.rawValue])
    registration = StandingCall(RegisterApplication.self, parameters, path: socket) { [service] event in
      if case .replied(let reply) = event, reply.event == .continueRequested, let id = reply.id {
        _ = service.accept(id, title: reply.title ?? "")
      }
    }
    registration?.begin()
  }

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    registration?.cancel()
    offers = nil
    service.stop(completion)
  }

  func applicationsChanged() {}
}
