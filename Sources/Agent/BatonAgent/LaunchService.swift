// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Systemd
import Varlink
import VarlinkClient

/// Answers the daemon's requests: starts the app that takes an activity, or shows its web page.
@Loop
final class LaunchService: AgentPart {
  /// The result of starting a program.
  enum Start {
    case started
    /// The program ended with an error soon after its start, or was asked to open and failed.
    case ended
    /// Nothing ran.
    case impossible(Reason)
  }

  let installed: InstalledApplications
  let associations: Associations
  let chosen: ChosenApplications
  let socket: String?
  let environment: ProcessEnvironment
  let log: Log
  private var registration: LauncherRegistration?
  /// See ``LauncherRegistration/onState``.
  var onState: (@Loop (_ isRegistered: Bool) -> Void)?
  /// The calls that continue offers here to show their pages, by the daemon's name of the request.
  var continuing: [String: ControlCall<Continue>] = [:]
  private var hasToldOfScopes = false
  /// Plays what no app of the user takes.
  var play: (@Loop (Launch) -> Void)?

  init(
    _ options: AgentOptions,
    _ environment: ProcessEnvironment,
    installed: InstalledApplications,
    associations: Associations,
    chosen: ChosenApplications,
    log: Log
  ) {
    var environment = environment
    // Apps use the same daemon as the agent.
    if let socket = options.socket { environment["BATON_SOCKET"] = socket }
    self.environment = environment
    self.installed = installed
    self.associations = associations
    self.chosen = chosen
    self.log = log
    socket = options.socket
    registration = LauncherRegistration(socket: options.socket, log: log) { [weak self] in self?.launch($0) }
    registration?.onState = { [weak self] in self?.onState?($0) }
  }

  func start() {
    if !hasBrowser {
      log.notice("Web pages can't be opened, because xdg-open isn't installed. Install xdg-utils")
    }
    applicationsChanged()
  }

  func stop() {
    registration?.stop()
    continuing = [:]
  }

  func applicationsChanged() {
    let catalog = installed.catalog
    let own = [OpenActivityType.playback.rawValue].filter { catalog.hasPlayer && !catalog.activityTypes.contains($0) }
    registration?.register((catalog.activityTypes + own).sorted(), isIncomplete: !catalog.leftOut.isEmpty)
  }

  private var hasBrowser: Bool { environment.program("xdg-open") != nil }

  private func launch(_ launch: Launch) {
    // Someone who has just installed an app may open something with it immediately.
    installed.catchUp()
    let request = launch.request
    if let name = request.application { return start(named: name, launch) }
    let fitting = installed.catalog.applications(for: request.activityType, team: request.team)
    let applications = chosen.choices.ordered(fitting, activityType: request.activityType)
    start(applications[...], launch) { [weak self] result in
      guard let self else { return }
      switch result {
      case .started: self.report(launch, .launching)
      case .ended: self.report(launch, .failed, .launchFailed)
      case .impossible(let reason):
        if let play = self.play, request.activityType == OpenActivityType.playback.rawValue { return play(launch) }
        guard request.hasWebPage else { return self.report(launch, .failed, reason) }
        // If an offer is continued and nothing can show it, the activity is lost.
        guard self.hasBrowser else {
          self.log.warning("A web page can't be opened, because xdg-open isn't installed. Install xdg-utils")
          return self.report(launch, .failed, reason == .applicationNotFound ? .browserNotFound : reason)
        }
        self.showPage(launch)
      }
    }
  }

  /// Starts the app with this name. If it is not installed, the daemon asks for another one.
  private func start(named name: String, _ launch: Launch) {
    start(installed.applications(called: name)[...], launch) { [weak self] result in
      switch result {
      case .started: self?.report(launch, .launching)
      case .ended: self?.report(launch, .failed, .launchFailed)
      case .impossible(let reason): self?.report(launch, .failed, reason)
      }
    }
  }

  func report(_ launch: Launch, _ state: ReportLaunch.State, _ reason: Reason? = nil) {
    registration?.report(launch, state, reason)
  }

  // MARK: Programs

  /// Starts the first of these apps that can be started.
  ///
  /// - Parameters:
  ///   - reason: The reason to report if none can be started.
  ///   - completion: May receive `.ended` after `.started`.
  func start(
    _ applications: ArraySlice<DesktopEntry>,
    _ launch: Launch,
    targets: [String] = [],
    otherwise reason: Reason = .applicationNotFound,
    completion: @escaping @Loop (Start) -> Void
  ) {
    guard let application = applications.first else { return completion(.impossible(reason)) }
    start(ApplicationCommand(application, targets: targets), launch) { [weak self] result in
      guard case .impossible(let why) = result else { return completion(result) }
      let rest = applications.dropFirst()
      // That an app could not run says more than that there is none.
      self?.start(
        rest,
        launch,
        targets: targets,
        otherwise: why == .launchFailed ? why : reason,
        completion: completion
      )
    }
  }

  /// - Parameters:
  ///   - patience: How long to wait for the program to end before it counts as started. If zero, it counts immediately.
  ///   - completion: May receive `.ended` after `.started`.
  func start(
    _ command: ApplicationCommand,
    _ launch: Launch,
    patience: Duration = .zero,
    completion: @escaping @Loop (Start) -> Void
  ) {
    var command = command
    command.variables["BATON_OFFER"] = launch.request.id.description
    command.variables["BATON_ACTIVITY_TYPE"] = launch.request.activityType
    command.variables["XDG_ACTIVATION_TOKEN"] = launch.request.activationToken
    command.variables["DESKTOP_STARTUP_ID"] = launch.request.activationToken
    let id = command.id
    let deadline = Loop.now + Limits.launchTime
    var start: ApplicationStart?
    start = ApplicationStart(command, environment) { [weak self] result in
      self?.tellOfScopes(start?.scopeTrouble)
      start = nil
      switch result {
      case .failure(let failure):
        if failure.reason == .applicationNotFound {
          self?.log.debug("An app isn't installed: \(failure.description)", ["app": id])
        } else {
          self?.log.warning("An app couldn't be started: \(failure.description)", ["app": id])
        }
        completion(failure.hasRun ? .ended : .impossible(failure.reason))
      case .success(nil):
        self?.log.info("Started an app over D-Bus", ["app": id])
        completion(.started)
      case .success(let child?):
        self?.log.info("Started an app", ["app": id, "pid": "\(child.identifier)"])
        let timer = Timer { completion(.started) }
        if patience == .zero { completion(.started) } else { timer.set(Loop.now + patience) }
        child.onEnd = { status in
          if timer.deadline != nil {
            timer.set(nil)
            if status == 0 { completion(.started) }
          }
          guard status != 0, Loop.now < deadline else { return }
          self?.log.warning("An app exited with an error", ["app": id, "status": "\(status)"])
          completion(.ended)
        }
      }
    }
    start?.begin()
  }

  private func tellOfScopes(_ trouble: String?) {
    guard let trouble, !hasToldOfScopes else { return }
    hasToldOfScopes = true
    log.notice("Can't use the user's systemd, so apps run as children of the agent: \(trouble)")
  }
}
