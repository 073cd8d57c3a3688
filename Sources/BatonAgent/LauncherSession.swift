import Activity
import ControlClient
import ControlInterface
import EventLoop
import Systemd
import Varlink

/// The agent's registration with the daemon as the user's launcher. It registers again whenever the daemon comes back.
@Loop
final class LauncherSession {
  private struct Registration {
    let number: UInt64
    let call: ControlCall<RegisterLauncher>
  }

  private let socket: String?
  private let log: Log
  private let handler: @Loop (Launch) -> Void
  /// Says whether the daemon knows about this agent. Called when the agent has registered, and when it cannot register
  /// for a new reason.
  var onState: (@Loop (_ isRegistered: Bool) -> Void)?
  private var parameters = RegisterLauncher.Parameters(activityTypes: [])
  /// The registration that is in effect.
  private var current: Registration?
  /// An attempt to register, perhaps with other types. It replaces `current` when it receives its first reply.
  private var renewal: Registration?
  private var lastNumber: UInt64 = 0
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  private var lastTrouble: String?
  private var isStopped = false
  /// The number of the present daemon, or of the next one while there is none.
  private var daemon: UInt64 = 1
  /// The daemon's requests, the oldest first. The daemon repeats them to a registration that replaces another.
  private var known: [(launch: String, end: ContinuousClock.Instant)] = []
  /// Reports to send one after the other, because each has its own connection.
  private var reports: [ReportLaunch.Parameters] = []
  private var report: ControlCall<ReportLaunch>?

  /// - Parameter handler: Receives each offer for which an app must be started.
  init(socket: String?, log: Log, handler: @escaping @Loop (Launch) -> Void) {
    self.socket = socket
    self.log = log
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.connect() }
  }

  /// Whether the daemon has confirmed a registration.
  var isRegistered: Bool { current != nil }

  /// When it registers again; nil if that is not planned.
  var nextAttempt: ContinuousClock.Instant? { timer?.deadline }

  /// Registers, and registers again if the types or `isIncomplete` differ from before.
  ///
  /// - Parameter isIncomplete: Whether apps or types are left out.
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
        // If another attempt is in progress, it reports how it ends.
        if renewal == nil { failed(error) }
      }
    }
  }

  private func registered(_ number: UInt64) {
    guard let renewal, renewal.number == number else { return }
    (current, self.renewal) = (renewal, nil)
    backoff.reset()
    lastTrouble = nil
    log.info("Registered with the daemon", ["types": "\(parameters.activityTypes.count)"])
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

  /// The daemon is gone, and its requests with it.
  private func lost() {
    current = nil
    lastTrouble = nil
    daemon += 1
    known = []
    reports = []
    report = nil
  }

  /// Plans another attempt. A registration that works stays, even if one with other types fails.
  private func failed(_ error: ControlError) {
    let trouble = error.description
    if trouble != lastTrouble {
      log.notice(
        current == nil
          ? "Not registered with a daemon: \(trouble)" : "The daemon does not know about changed apps yet: \(trouble)"
      )
      if current == nil { onState?(false) }
    }
    lastTrouble = trouble
    var pause = backoff.next()
    switch error {
    // The daemon answers, and would give the same answer again.
    case .refused, .failed, .tooLong: pause = Limits.launcherRetryTime
    default: break
    }
    timer?.set(Loop.now + pause)
  }

  // MARK: Reports

  /// Reports the result of a launch. If its daemon is gone, nothing is reported.
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
