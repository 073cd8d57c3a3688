// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Hosts
import Localization
import Systemd
import VarlinkClient
import VarlinkServer

/// Pages of servers on this machine's localhost and on that of others.
@Loop
final class PortPart: AgentPart {
  private let service: PortService
  private let server: PortServer
  private let socket: String?
  private let environment: ProcessEnvironment
  private let log: Log
  private let login: Logind
  private var registration: StandingCall<RegisterApplication>?
  private var calls: [ActivityID: ControlCall<Continue>] = [:]
  /// What opened the last page.
  private var browser: ChildProgram?
  private var isLocked = false
  private var isAsleep = false

  /// - Parameter server: Where programs ask for ports.
  init?(_ options: AgentOptions, _ environment: ProcessEnvironment, on server: VarlinkServer, log: Log) {
    guard let path = PortFile.path(environment) else { return nil }
    (socket, self.environment, self.log) = (options.socket, environment, log)
    let notifier = options.showsNotifications ? PortNotifier(log: log) : nil
    service = PortService(PortStore(path, log: log), notifier, socket: options.socket, log: log)
    self.server = PortServer(service, on: server)
    login = Logind(screensOnly: true) { log.info($0) }
  }

  func start() {
    login.onEvent = { [weak self] event in
      switch event {
      case .lockedUsers(let users): self?.isLocked = users.contains(getuid())
      case .fallingAsleep: self?.isAsleep = true
      case .awake: self?.isAsleep = false
      case .hostNameChanged: return
      }
      guard let self else { return }
      service.set(isAway: isLocked || isAsleep)
    }
    login.start()
    let parameters = RegisterApplication.Parameters(activityTypes: [OpenActivityType.localPage.rawValue])
    registration = StandingCall(RegisterApplication.self, parameters, path: socket) { [weak self] event in
      guard case .replied(let reply) = event, reply.event == .continueRequested, let id = reply.id else { return }
      self?.continuePage(id, reply)
    }
    registration?.begin()
  }

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    registration?.cancel()
    registration = nil
    calls = [:]
    login.stop()
    service.stop(completion)
  }

  func applicationsChanged() {}

  private func continuePage(_ id: ActivityID, _ request: RegisterApplication.Reply) {
    // A second click on the same offer changes nothing.
    guard calls[id] == nil else { return }
    guard calls.count < LocalPageLimits.pages else {
      return complain(localized("Too many pages are being opened. Try again later."), title: request.title)
    }
    let parameters = Continue.Parameters(id: id, deviceID: request.deviceID)
    do throws(ControlError) {
      calls[id] = try ControlCall(Continue.self, parameters, path: socket) { [weak self] result in
        self?.calls[id] = nil
        switch result {
        case .failure(.failed(let failure)): self?.complain(failure.localizedMessage, title: request.title)
        case .failure(let error): self?.complain(error.description, title: request.title)
        case .success(let reply): self?.continued(reply, id, token: request.activationToken)
        }
      }
    } catch { complain(error.description, title: request.title) }
  }

  private func continued(_ reply: Continue.Reply, _ id: ActivityID, token: String?) {
    let (device, title) = (reply.device, reply.activity.title)
    guard case .device(let deviceID) = reply.origin, let page = LocalPageActivity(json: reply.activity.userInfo) else {
      return complain(localized("Its address can't be used."), title: title, device: device)
    }
    service.open(page, id, deviceID: deviceID.text, device: device) { [weak self] result in
      switch result {
      case .failure(let failure): self?.complain(failure.localizedMessage, title: title, device: device)
      case .success(let address):
        self?.show(address, token: token) { self?.complain($0, title: title, device: device) }
      }
    }
  }

  private func complain(_ why: String, title: String?, device: String? = nil) {
    log.warning("Can't open a local page of another machine: \(why)")
    service.tell(
      title.flatMap(VisibleText.line) ?? localized("Local page"),
      NotificationText.failure(device.flatMap(VisibleText.line) ?? localized("another machine"), why)
    )
  }

  /// - Parameters:
  ///   - token: Lets the browser come to the front.
  ///   - onFailure: Called at most once.
  private func show(_ address: String, token: String?, onFailure: @escaping @Loop (String) -> Void) {
    var command = ApplicationCommand(id: "xdg-open", name: "Web browser", arguments: ["xdg-open", address])
    command.variables["XDG_ACTIVATION_TOKEN"] = token
    command.variables["DESKTOP_STARTUP_ID"] = token
    let failed = localized("No browser could be started. Open \(address) yourself.")
    let start = ApplicationStart(command, environment) { [weak self] result in
      switch result {
      case .success(let program):
        self?.browser = program
        let deadline = Loop.now + Limits.launchTime
        // It ends when the browser has the page, or becomes the browser.
        program?.onEnd = { status in if status != 0, Loop.now < deadline { onFailure(failed) } }
      case .failure: onFailure(failed)
      }
    }
    start.begin()
  }
}
