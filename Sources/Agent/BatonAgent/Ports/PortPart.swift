// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Glibc
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
    guard
      let data = environment.directory("XDG_DATA_HOME") ?? environment.directory("HOME").map({ "\($0)/.local/share" })
    else { return nil }
    (socket, self.environment, self.log) = (options.socket, environment, log)
    service = PortService(PortStore("\(data)/baton/ports.json", log: log), socket: options.socket, log: log)
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
      self?.continuePage(id, reply.deviceID)
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

  private func continuePage(_ id: ActivityID, _ deviceID: DeviceID?) {
    guard calls[id] == nil, calls.count < LocalPageLimits.pages else { return }
    let parameters = Continue.Parameters(id: id, deviceID: deviceID)
    calls[id] = try? ControlCall(Continue.self, parameters, path: socket) { [weak self] result in
      self?.calls[id] = nil
      switch result {
      case .failure(let error): self?.complain(error.description)
      case .success(let reply): self?.continued(reply, id)
      }
    }
  }

  private func continued(_ reply: Continue.Reply, _ id: ActivityID) {
    guard case .device(let deviceID) = reply.origin, let page = LocalPageActivity(json: reply.activity.userInfo) else {
      return complain("its address can't be used")
    }
    service.open(page, id, deviceID: deviceID.text, device: reply.device) { [weak self] result in
      switch result {
      case .failure(let failure): self?.complain(failure.localizedMessage)
      case .success(let address): self?.show(address)
      }
    }
  }

  private func complain(_ why: String) { log.warning("Can't open a local page of another machine: \(why)") }

  private func show(_ address: String) {
    let command = ApplicationCommand(id: "xdg-open", name: "Web browser", arguments: ["xdg-open", address])
    let start = ApplicationStart(command, environment) { [weak self] result in
      switch result {
      case .success(let program): self?.browser = program
      case .failure(let failure): self?.complain(failure.description)
      }
    }
    start.begin()
  }
}
