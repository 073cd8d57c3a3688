import Activity
import ActivityTypes
import ControlClient
import ControlInterface
import EventLoop
import Systemd
import Transfers
import VarlinkService

/// Sends files to the user's other machines, and receives theirs.
@Loop
final class TransferPart: AgentPart {
  let service: TransferService
  private let socket: String?
  private var offers: OfferList?
  /// Lets people accept a transfer as they accept any other offer.
  private var registration: StandingCall<RegisterApplication>?

  private let server: TransferServer

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
      log.notice("No files can be sent or received, because HOME is not set")
      return nil
    }
    let data = environment.directory("XDG_DATA_HOME") ?? "\(home)/.local/share"
    socket = options.socket
    let store = TransferStore("\(data)/baton/transfers", log: log)
    service = TransferService(store, folder: "\(home)/Handoff", socket: options.socket, log: log) { _ in false }
    self.server = TransferServer(service, on: server)
  }

  func start() {
    service.start()
    offers = OfferList(path: socket) { [service] in service.offersChanged($0) }
    let parameters = RegisterApplication.Parameters(activityTypes: [OpenActivityType.files.rawValue])
    registration = StandingCall(RegisterApplication.self, parameters, path: socket) { [service] event in
      if case .replied(let reply) = event, reply.event == .continueRequested, let id = reply.id { _ = service.accept(id) }
    }
    registration?.begin()
  }

  func stop() {
    registration?.cancel()
    offers = nil
    service.stop()
  }

  func applicationsChanged() {}
}
