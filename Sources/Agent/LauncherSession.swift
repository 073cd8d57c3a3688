import Activity
import ControlClient
import ControlInterface
import EventLoop
import Systemd
import Varlink

/// The agent at the daemon: registered as the user's launcher, and again whenever the daemon is back.
@Loop
final class LauncherSession {
  private let socket: String?
  private let log: Log
  private let handler: @Loop (LaunchRequest) -> Void
  private var types: [String] = []
  private var call: ControlCall<RegisterLauncher>?
  /// Registered anew, with other types; it takes the place of `call` with its first reply.
  private var renewal: ControlCall<RegisterLauncher>?
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  private var lastTrouble: String?
  private var isStopped = false
  /// Sent one after the other: each has a connection of its own.
  private var reports: [ReportLaunch.Parameters] = []
  private var report: ControlCall<ReportLaunch>?

  /// - Parameter handler: Gets each offer for which an app is to be started.
  init(socket: String?, log: Log, handler: @escaping @Loop (LaunchRequest) -> Void) {
    self.socket = socket
    self.log = log
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.connect() }
  }

  /// Registers, and registers again where these are other types than before.
  func register(_ types: [String]) {
    guard !isStopped, call == nil || types != self.types else { return }
    self.types = types
    connect()
  }

  func stop() {
    isStopped = true
    timer?.set(nil)
    (call, renewal, report) = (nil, nil, nil)
  }

  private func connect() {
    guard !isStopped else { return }
    timer?.set(nil)
    do throws(ControlError) {
      let parameters = RegisterLauncher.Parameters(activityTypes: types)
      renewal = try ControlCall(RegisterLauncher.self, parameters, mode: .more, path: socket) { [weak self] result in
        self?.received(result)
      }
    } catch {
      lost(error)
    }
  }

  private func received(_ result: Result<RegisterLauncher.Reply, ControlError>) {
    switch result {
    case .success(let reply):
      if reply.event == .registered {
        if let renewal { (call, self.renewal) = (renewal, nil) }
        backoff.reset()
        lastTrouble = nil
        log.info("Registered at the daemon", ["types": "\(types.count)"])
      }
      reply.request.map(handler)
    case .failure(let error): lost(error)
    }
  }

  private func lost(_ error: ControlError) {
    (call, renewal) = (nil, nil)
    guard !isStopped else { return }
    if error.description != lastTrouble { log.notice("No daemon to start apps for: \(error.description)") }
    lastTrouble = error.description
    var pause = backoff.next()
    switch error {
    // It answers, and would answer the same.
    case .refused, .failed: pause = Limits.launcherRetryTime
    default: break
    }
    timer?.set(Loop.now + pause)
  }

  // MARK: Reports

  func report(_ launch: String, _ state: ReportLaunch.State, _ reason: Reason? = nil) {
    reports.append(ReportLaunch.Parameters(launch: launch, state: state, reason: reason))
    sendReport()
  }

  /// What a daemon that is gone is not told, it does not wait for either.
  private func sendReport() {
    guard report == nil, !isStopped else { return }
    while !reports.isEmpty, report == nil {
      report = try? ControlCall(ReportLaunch.self, reports.removeFirst(), path: socket) { [weak self] _ in
        self?.report = nil
        self?.sendReport()
      }
    }
  }
}
