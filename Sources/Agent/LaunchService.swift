import Activity
import ControlClient
import ControlInterface
import DesktopEntries
import EventLoop
import Systemd
import Varlink

/// Answers the daemon's requests: starts the app that takes an activity, or shows its web page.
@Loop
final class LaunchService: AgentPart {
  private let installed: InstalledApplications
  private let associations: Associations
  private let environment: ProcessEnvironment
  private let socket: String?
  private let log: Log
  private var session: LauncherSession?
  /// Offers that are continued here, for their pages.
  private var continuing: [String: ControlCall<Continue>] = [:]
  private var hasToldOfScopes = false

  init(
    _ options: AgentOptions,
    _ environment: ProcessEnvironment,
    installed: InstalledApplications,
    associations: Associations,
    log: Log
  ) {
    var environment = environment
    // Apps use the daemon that we use.
    if let socket = options.socket { environment["BATON_SOCKET"] = socket }
    self.environment = environment
    self.installed = installed
    self.associations = associations
    self.log = log
    socket = options.socket
    session = LauncherSession(socket: options.socket, log: log) { [weak self] in self?.launch($0) }
  }

  func start() { applicationsChanged() }

  func stop() {
    session?.stop()
    continuing = [:]
  }

  func applicationsChanged() { session?.register(installed.catalog.activityTypes) }

  private func launch(_ launch: Launch) {
    let request = launch.request
    // Who has just installed an app opens something with it.
    installed.catchUp()
    let applications = installed.catalog.applications(for: request.activityType, team: request.team)
    if let application = applications.first(where: isInstalled) {
      session?.report(launch, .launching)
      return start(application, request, targets: []) { [weak self] reason in
        if let reason { self?.session?.report(launch, .failed, reason) }
      }
    }
    // An offer that is continued for nothing is lost.
    guard request.hasWebPage, environment.program("xdg-open") != nil else {
      return session?.report(launch, .failed, .applicationNotFound) ?? ()
    }
    showPage(launch)
  }

  private func isInstalled(_ application: DesktopEntry) -> Bool {
    application.tryExec.map { environment.program($0) != nil } ?? true
  }

  // MARK: Apps

  /// - Parameter completion: Called with nil when it is there; with why where it could not be started, or ended with an
  ///   error soon after.
  private func start(
    _ application: DesktopEntry,
    _ request: LaunchRequest,
    targets: [String],
    completion: @escaping @Loop (Reason?) -> Void
  ) {
    var arguments = application.commandLine(targets: targets)
    if application.needsTerminal {
      guard environment.program("x-terminal-emulator") != nil else {
        log.warning("No x-terminal-emulator is installed, which the app needs", ["app": application.id])
        return completion(.launchFailed)
      }
      arguments = ["x-terminal-emulator", "-e"] + arguments
    }
    var command = ApplicationCommand(id: application.id, name: application.name, arguments: arguments)
    command.directory = application.workingDirectory
    start(command, request, completion: completion)
  }

  /// - Parameter patience: How long the program may take to end with or without an error before it counts as started;
  ///   zero: it counts at once.
  private func start(
    _ command: ApplicationCommand,
    _ request: LaunchRequest,
    patience: Duration = .zero,
    completion: @escaping @Loop (Reason?) -> Void
  ) {
    var command = command
    command.variables["BATON_OFFER"] = request.id.description
    command.variables["BATON_ACTIVITY_TYPE"] = request.activityType
    command.variables["XDG_ACTIVATION_TOKEN"] = request.activationToken
    command.variables["DESKTOP_STARTUP_ID"] = request.activationToken
    let id = command.id
    let deadline = Loop.now + Limits.launchTime
    var start: ApplicationStart?
    start = ApplicationStart(command, environment) { [weak self] result in
      self?.tellOfScopes(start?.scopeTrouble)
      start = nil
      switch result {
      case .failure(let failure):
        self?.log.warning("An app could not be started: \(failure.description)", ["app": id])
        completion(.launchFailed)
      case .success(let child):
        self?.log.info("Started an app", ["app": id, "pid": "\(child.identifier)"])
        let timer = Timer { completion(nil) }
        if patience == .zero { completion(nil) } else { timer.set(Loop.now + patience) }
        child.onEnd = { status in
          if timer.deadline != nil {
            timer.set(nil)
            if status == 0 { completion(nil) }
          }
          guard status != 0, Loop.now < deadline else { return }
          self?.log.warning("An app ended with an error", ["app": id, "status": "\(status)"])
          completion(.launchFailed)
        }
      }
    }
    start?.begin()
  }

  private func tellOfScopes(_ trouble: String?) {
    guard let trouble, !hasToldOfScopes else { return }
    hasToldOfScopes = true
    log.notice("The user's systemd cannot be used; apps are children of the agent: \(trouble)")
  }

  // MARK: Web pages

  private func showPage(_ launch: Launch) {
    let request = launch.request
    do throws(ControlError) {
      continuing[request.launch] = try ControlCall(Continue.self, Continue.Parameters(id: request.id), path: socket) {
        [weak self] result in
        guard let self else { return }
        self.continuing[request.launch] = nil
        switch result {
        case .success(let reply): self.show(reply.activity.webpageURL, launch)
        case .failure(.failed(let failure)): self.session?.report(launch, .failed, failure.reason)
        case .failure: self.session?.report(launch, .failed, .internalFailure)
        }
      }
    } catch {
      session?.report(launch, .failed, .internalFailure)
    }
  }

  private func show(_ url: String?, _ launch: Launch) {
    let request = launch.request
    // It is the other machine's word.
    guard let page = url.flatMap(WebPage.init) else {
      return session?.report(launch, .failed, url == nil ? .applicationNotFound : .urlInvalid) ?? ()
    }
    let claims = installed.catalog.applications(for: page, team: request.team).filter { isInstalled($0.application) }
    confirm(claims[...]) { [weak self] application in
      guard let self else { return }
      let completion: @Loop (Reason?) -> Void = { [weak self] reason in
        self?.session?.report(launch, reason == nil ? .continued : .failed, reason)
      }
      if let application {
        return self.start(application, request, targets: [page.url], completion: completion)
      }
      let browser = ApplicationCommand(id: "xdg-open", name: "Web browser", arguments: ["xdg-open", page.url])
      // It hands the page to a browser and ends; where it becomes the browser, it does not.
      self.start(browser, request, patience: Limits.browserTime, completion: completion)
    }
  }

  /// Finds the first app whose domain confirms it.
  private func confirm(
    _ claims: ArraySlice<(application: DesktopEntry, domain: String)>,
    completion: @escaping @Loop (DesktopEntry?) -> Void
  ) {
    guard let claim = claims.first else { return completion(nil) }
    associations.find(claim.domain) { [weak self] association in
      if association?.names(claim.application) == true { return completion(claim.application) }
      self?.confirm(claims.dropFirst(), completion: completion)
    }
  }
}
