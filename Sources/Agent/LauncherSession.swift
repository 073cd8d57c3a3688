import Activity
import ControlClient
import ControlInterface
import EventLoop
import Systemd
import Varlink

/// The agent at the daemon: registered as the user's launcher, and again whenever the daemon is back.
@Loop
final class LauncherSession {
  private struct Registration {
    let number: UInt64
    let call: ControlCall<RegisterLauncher>
  }

  private let socket: String?
  private let log: Log
  private let handler: @Loop (Launch) -> Void
  /// Whether the daemon knows of this agent now: called when it has registered, and when it cannot, as long as that is new.
  var onState: (@Loop (_ isRegistered: Bool) -> Void)?
  private var parameters = RegisterLauncher.Parameters(activityTypes: [])
  /// The one that counts.
  private var current: Registration?
  /// With other types; it takes the place of `current` with its first reply.
  private var renewal: Registration?
  private var lastNumber: UInt64 = 0
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  private var lastTrouble: String?
  private var isStopped = false
  /// Of the daemon that is there, and of the next one while none is.
  private var daemon: UInt64 = 1
  /// What the daemon has asked for, the oldest first. It asks a registration that takes another's place again.
  private var known: [(launch: String, end: ContinuousClock.Instant)] = []
  /// Sent one after the other: each has a connection of its own.
  private var reports: [ReportLaunch.Parameters] = []
  private var report: ControlCall<ReportLaunch>?

  /// - Parameter handler: Gets each offer for which an app is to be started.
  init(socket: String?, log: Log, handler: @escaping @Loop (Launch) -> Void) {
    self.socket = socket
    self.log = log
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.connect() }
  }

  /// Whether the daemon has said so.
  var isRegistered: Bool { current != nil }

  /// When it registers again; nil where nothing is to be done.
  var nextAttempt: ContinuousClock.Instant? { timer?.deadline }

  /// Registers, and registers again where these are other types than before.
  ///
  /// - Parameter isIncomplete: Whether there are apps or types that are left out.
  func register(_ types: [String], isIncomplete: Bool = false) {
    let parameters = RegisterLauncher.Parameters(activityTypes: types, isIncomplete: isIncomplete)
    guard !isStopped, current == nil || parameters != self.parameters else { return }
    self.parameters = parameters
    connect()
  }

  func stop() {
    isStopped = true
    timer?.set(nil)
    (current, renewal, report) = (nil, nil, nil)
  }

  private func connect() {
    guard !isStopped else { return }
    timer?.set(nil)
    lastNumber += 1
    let number = lastNumber
    do throws(ControlError) {
      let call = try ControlCall(RegisterLauncher.self, parameters, mode: .more, path: socket) { [weak self] result in
        self?.received(result, by: number)
      }
      renewal = Registration(number: number, call: call)
    } catch {
      renewal = nil
      failed(error)
    }
  }

  private func received(_ result: Result<RegisterLauncher.Reply, ControlError>, by number: UInt64) {
    switch result {
    case .success(let reply):
      if reply.event == .registered { registered(number) }
      reply.request.map(requested)
    case .failure(let error):
      if number == renewal?.number {
        renewal = nil
        failed(error)
      } else if number == current?.number {
        lost()
        // Another attempt that is under way says how it ends.
        if renewal == nil { failed(error) }
      }
    }
  }

  private func registered(_ number: UInt64) {
    guard let renewal, renewal.number == number else { return }
    (current, self.renewal) = (renewal, nil)
    backoff.reset()
    lastTrouble = nil
    log.info("Registered at the daemon", ["types": "\(parameters.activityTypes.count)"])
    onState?(true)
  }

  private func requested(_ request: LaunchRequest) {
    let now = Loop.now
    known.removeAll { $0.end <= now }
    guard !known.contains(where: { $0.launch == request.launch }) else { return }
    if known.count == Limits.knownLaunches { known.removeFirst() }
    known.append((request.launch, now + Limits.launchTime))
    handler(Launch(request: request, daemon: daemon))
  }

  /// The daemon is gone, and with it what it asked for.
  private func lost() {
    current = nil
    lastTrouble = nil
    daemon += 1
    known = []
    reports = []
    report = nil
  }

  /// A registration that works stays, also where one with other types fails.
  private func failed(_ error: ControlError) {
    let trouble = error.description
    if trouble != lastTrouble {
      log.notice(
        current == nil
          ? "No daemon to start apps for: \(trouble)" : "The daemon does not know of other apps yet: \(trouble)"
      )
      if current == nil { onState?(false) }
    }
    lastTrouble = trouble
    var pause = backoff.next()
    switch error {
    // It answers, and would answer the same.
    case .refused, .failed, .tooLong: pause = Limits.launcherRetryTime
    default: break
    }
    timer?.set(Loop.now + pause)
  }

  // MARK: Reports

  /// Tells what became of a launch. Where its daemon is gone nobody is told.
  func report(_ launch: Launch, _ state: ReportLaunch.State, _ reason: Reason? = nil) {
    guard launch.daemon == daemon else { return }
    reports.append(ReportLaunch.Parameters(launch: launch.request.launch, state: state, reason: reason))
    sendReport()
  }

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
