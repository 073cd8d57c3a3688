// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc
import Systemd
import VarlinkClient
import VarlinkServer

/// What was copied on this machine and on the others.
@Loop
final class ClipboardPart: AgentPart {
  private let socket: String?
  private let service: ClipboardService
  private let server: ClipboardServer
  private let mirror: SelectionMirror
  private let configuration: AgentConfiguration
  private let login: Logind
  private var offers: OfferList?

  /// The variable with which tests shorten the time for which something is offered, in seconds.
  private static let timeVariable = "BATON_CLIPBOARD_TIME"

  /// - Parameter server: Where programs copy and paste.
  init(
    _ options: AgentOptions,
    _ environment: ProcessEnvironment,
    _ configuration: AgentConfiguration,
    on server: VarlinkServer,
    log: Log
  ) {
    socket = options.socket
    let time = environment[Self.timeVariable].flatMap(Double.init).map { Duration.seconds(min(max($0, 0.1), 600)) }
    service = ClipboardService(socket: options.socket, lifetime: time ?? Limits.clipboardTime)
    self.server = ClipboardServer(service, on: server)
    mirror = SelectionMirror(service, environment, log: log)
    self.configuration = configuration
    login = Logind(screensOnly: true) { log.info($0) }
  }

  func start() {
    login.onEvent = { [service, mirror] event in
      guard case .lockedUsers(let users) = event else { return }
      service.screenChanged(isLocked: users.contains(getuid()))
      if !service.isLocked { mirror.screenUnlocked() }
    }
    login.start()
    offers = OfferList(path: socket) { [service] in service.offersChanged($0) }
    configuration.observe { [weak self] in
      guard let self else { return }
      self.mirror.apply(self.configuration.settings.clipboard.teams)
    }
  }

  func stop() {
    login.stop()
    offers = nil
    mirror.stop()
    service.stop()
  }

  func applicationsChanged() {}
}
