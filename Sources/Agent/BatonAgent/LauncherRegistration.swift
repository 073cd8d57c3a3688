// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Systemd
import Varlink
import VarlinkClient

/// The agent's registration with the daemon as the user's launcher. It registers again whenever the daemon comes back.
@Loop
final class LauncherRegistration {
  /// The maximum number of the daemon's requests that are remembered, for `Limits.launchTime`, so that none is carried
  /// out twice. It is more than a person makes.
  nonisolated static let knownLaunches = 256
  /// The pause until the agent asks again a daemon that refused it.
  nonisolated static let launcherRetryTime = Duration.seconds(60)

  private let socket: String?
  private let log: Log
  private let handler: @Loop (Launch) -> Void
  /// Says whether the daemon knows about this agent. Called when the agent has registered, and when it cannot register
  /// for a new reason.
  var onState: (@Loop (_ isRegistered: Bool) -> Void)?
  private var call: StandingCall<RegisterLauncher>?
  private var lastTrouble: String?
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
    call = StandingCall(
      RegisterLauncher.self,
      RegisterLauncher.Parameters(activityTypes: []),
      path: socket,
      pause: Self.pause
    ) { [weak self] event in
      switch event {
      case .replied(let reply): self?.received(reply)
      case .lost: self?.lost()
      case .failed(let error): self?.failed(error)
      }
    }
  }

  /// If the daemon answers, it would soon give the same answer again.
  private static func pause(after error: ControlError) -> Duration? {
    switch error {
    case .refused, .failed, .tooLong: Self.launcherRetryTime
    default: nil
    }
  }

  /// Whether the daemon has confirmed a registration.
  var isRegistered: Bool { call?.isStanding ?? false }

  /// When it registers again; nil if that is not planned.
  var nextAttempt: ContinuousClock.Instant? { call?.nextAttempt }

  /// Registers, and registers again if the types or `isIncomplete` differ from before.
  ///
  /// - Parameter isIncomplete: Whether apps or types are left out.
  func register(_ types: [String], isIncomplete: Bool = false) {
    let parameters = RegisterLauncher.Parameters(activityTypes: types, isIncomplete: isIncomplete)
    guard let call, !call.isStanding || parameters != call.parameters else { return }
    call.replace(parameters)
  }

  func stop() {
    call?.cancel()
    (call, report) = (nil, nil)
  }

  private func received(_ reply: RegisterLauncher.Reply) {
    if reply.event == .registered { registered() }
    reply.request.map(requested)
  }

  private func registered() {
    lastTrouble = nil
    log.info("Registered with batond", ["types": "\(call?.parameters.activityTypes.count ?? 0)"])
    onState?(true)
  }

  private func requested(_ request: LaunchRequest) {
    let now = Loop.now
    known.removeAll { $0.end <= now }
    guard !known.contains(where: { $0.launch == request.launch }) else { return }
    if known.count == Self.knownLaunches { known.removeFirst() }
    known.append((request.launch, now + Limits.launchTime))
    handler(Launch(request: request, daemon: daemon))
  }

  /// The daemon is gone, and its requests with it.
  private func lost() {
    lastTrouble = nil
    daemon += 1
    known = []
    reports = []
    report = nil
  }

  /// Another attempt follows. A registration that works stays, even if one with other types fails.
  private func failed(_ error: ControlError) {
    let trouble = error.description
    if trouble != lastTrouble {
      log.notice(
        isRegistered
          ? "batond hasn't been told about changed apps yet: \(trouble)" : "Not registered with batond: \(trouble)"
      )
      if !isRegistered { onState?(false) }
    }
    lastTrouble = trouble
  }

  // MARK: Reports

  /// Reports the result of a launch. If its daemon is gone, nothing is reported.
  func report(_ launch: Launch, _ state: ReportLaunch.State, _ reason: Reason? = nil) {
    guard launch.daemon == daemon else { return }
    reports.append(ReportLaunch.Parameters(launch: launch.request.launch, state: state, reason: reason))
    sendReport()
  }

  private func sendReport() {
    guard report == nil, call != nil else { return }
    while !reports.isEmpty, report == nil {
      report = try? ControlCall(ReportLaunch.self, reports.removeFirst(), path: socket) { [weak self] _ in
        self?.report = nil
        self?.sendReport()
      }
    }
  }
}
