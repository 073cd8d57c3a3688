import Activity
import EventLoop
import Notifications
import Systemd
import Transfers

/// Shows in notifications how transfers go on and end. ``TransferNotifications`` decides what is shown.
@Loop
final class TransferNotifier: AgentPart {
  private let service: TransferService
  /// Whether somebody is told about the transfer elsewhere, such as in a terminal.
  private let isWatched: @Loop (ActivityID) -> Bool
  private let open: @Loop (_ folder: String) -> Void
  private let server: NotificationServer
  private var machine = TransferNotifications()
  private var timer: Timer?
  /// Runs while something is transferred.
  private var progressTimer: Timer?
  private var speeds: [ActivityID: TransferSpeed] = [:]
  private var completion: (@Loop () -> Void)?
  private var deadline: Timer?

  /// - Parameter open: Shows a folder to the user.
  init(
    _ service: TransferService,
    log: Log,
    isWatched: @escaping @Loop (ActivityID) -> Bool,
    open: @escaping @Loop (_ folder: String) -> Void
  ) {
    (self.service, self.isWatched, self.open) = (service, isWatched, open)
    server = NotificationServer(log: log, complains: false)
    timer = Timer { [weak self] in self?.wake() }
    progressTimer = Timer { [weak self] in self?.tellProgress() }
    server.onEvent = { [weak self] in
      if let event = TransferNotifications.Event($0) { self?.handle(event) }
    }
  }

  /// The server is looked for when there is something to show.
  func start() {}

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    self.completion = completion
    progressTimer?.set(nil)
    deadline = Timer { [weak self] in self?.end() }
    deadline?.set(Loop.now + Limits.notificationStopTime)
    handle(.stopped)
  }

  func applicationsChanged() {}

  func screenChanged(isLocked: Bool) { handle(.locked(isLocked)) }

  /// A transfer has changed, or is gone.
  func changed(_ id: ActivityID) {
    guard let state = service[id] else {
      speeds[id] = nil
      return handle(.gone(id))
    }
    switch state.transfer.state {
    case .running:
      if speeds[id] == nil { speeds[id] = TransferSpeed() }
      progressTimer?.set(Loop.now + Limits.notificationInterval)
      tell(state)
    case .waiting:
      // One that has begun goes on when the other machine is there.
      let isAsked = state.transfer.direction == .sending && speeds[id] == nil
      if isAsked { tell(state) } else { handle(.gone(id)) }
    case .asking: break
    case .done, .failed:
      // What ended before the agent started, or before anything began, was said or is in the list.
      let hasRun = speeds.removeValue(forKey: id) != nil
      if hasRun || state.transfer.reason.map(Self.isNews) ?? false { tell(state) } else { handle(.gone(id)) }
    }
  }

  /// Whether the user did not do it.
  private static func isNews(_ reason: TransferFailure) -> Bool {
    switch reason {
    case .declined, .withdrawn, .canceled, .notAllowed: false
    default: true
    }
  }

  private func tellProgress() {
    let running = service.all.filter { $0.transfer.state == .running }
    for state in running {
      speeds[state.transfer.id]?.measure(state.received, at: Loop.now)
      tell(state)
    }
    if !running.isEmpty { progressTimer?.set(Loop.now + Limits.notificationInterval) }
  }

  private func tell(_ state: ControlTransfer) {
    guard !isWatched(state.transfer.id) else { return handle(.gone(state.transfer.id)) }
    handle(.changed(TransferNotice(state, speeds[state.transfer.id])))
  }

  private func wake() {
    // A terminal may have begun to show one that was sent a moment ago.
    for state in service.all where isWatched(state.transfer.id) { handle(.gone(state.transfer.id)) }
    handle(.wake)
  }

  private func handle(_ event: TransferNotifications.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
    if completion != nil, machine.isSettled, server.closing == 0 { end() }
  }

  private func perform(_ effect: TransferNotifications.Effect) {
    switch effect {
    case .ask: server.ask()
    case .show(let request, let notice, let replaced, let isQuiet):
      let text = TransferNotificationText(notice, capabilities: server.capabilities)
      let isRunning = text.percent != nil
      let manner = NotificationManner(
        isRunning ? .progress : .outcome,
        isQuiet: isQuiet,
        isChange: replaced != nil,
        server.habits
      )
      server.show(
        request,
        ShownNotification(
          summary: text.summary,
          body: text.body,
          actions: server.habits.actions(text.actions),
          category: notice.state.isOver ? "transfer.complete" : "transfer",
          manner: manner,
          percent: text.percent
        ),
        replacing: replaced
      )
    case .close(let id):
      server.close(id) { [weak self] in
        guard let self, self.completion != nil, self.machine.isSettled, self.server.closing == 0 else { return }
        self.end()
      }
    case .cancel(let id): _ = service.cancel(id)
    case .open(let id): if let folder = service[id]?.transfer.folder { open(folder) }
    case .wake(let instant): timer?.set(instant)
    }
  }

  private func end() {
    deadline?.set(nil)
    server.stop()
    let completion = completion
    self.completion = nil
    completion?()
  }
}

extension TransferNotifications.Event {
  fileprivate init?(_ event: NotificationServer.Event) {
    switch event {
    case .serverChanged: self = .serverChanged
    case .serverLost: self = .serverLost
    case .serverReady: self = .serverReady
    case .serverIs(let habits): self = .serverIs(habits)
    case .serverMissing: self = .serverMissing
    case .shown(let request, let id): self = .shown(request, id)
    case .refused(let request): self = .refused(request)
    case .closed(let id, let isExpired): self = .closed(id, isExpired: isExpired)
    case .tokenGiven: return nil
    case .invoked(let id, let key): self = .invoked(id, key: key)
    }
  }
}

extension TransferNotice {
  fileprivate init(_ state: ControlTransfer, _ speed: TransferSpeed?) {
    let transfer = state.transfer
    let size = transfer.size ?? 0
    let shown: State =
      switch transfer.state {
      case .done: .done(omitted: transfer.omitted ?? 0)
      case .failed: .failed(why: transfer.reason?.explanation ?? "")
      case .waiting, .asking: .asking
      case .running:
        .running(
          percent: size > 0 ? Int(Double(min(state.received, size)) * 100 / Double(size)) : 0,
          speed: speed?.value.map { Int($0) },
          timeLeft: speed?.timeLeft(size - state.received)
        )
      }
    self.init(
      id: transfer.id,
      deviceID: transfer.deviceID,
      device: transfer.device,
      isSending: transfer.direction == .sending,
      title: transfer.title,
      state: shown
    )
  }
}
