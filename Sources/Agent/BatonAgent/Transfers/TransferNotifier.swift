// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// Shows in notifications how transfers go on and end. ``TransferNotifications`` decides what is shown.
@Loop
final class TransferNotifier: AgentPart {
  private let service: TransferService
  /// Whether somebody is told about the transfer elsewhere, such as in a terminal.
  private let isWatched: @Loop (ActivityID) -> Bool
  private let open: @Loop (_ folder: String) -> Void
  private let shell: NotificationShell<TransferNotifications>
  /// Runs while something is transferred.
  private var progressTimer: Timer?
  private var speeds: [ActivityID: TransferSpeed] = [:]

  /// - Parameter open: Shows a folder to the user.
  init(
    _ service: TransferService,
    log: Log,
    isWatched: @escaping @Loop (ActivityID) -> Bool,
    open: @escaping @Loop (_ folder: String) -> Void
  ) {
    (self.service, self.isWatched, self.open) = (service, isWatched, open)
    shell = NotificationShell(log: log, complains: false)
    progressTimer = Timer { [weak self] in self?.tellProgress() }
    shell.beforeWake = { [weak self] in self?.leaveOutWatched() }
    shell.perform = { [weak self] in self?.perform($0) }
  }

  /// The server is looked for when there is something to show.
  func start() {}

  func stop() { stop {} }

  func stop(_ completion: @escaping @Loop () -> Void) {
    progressTimer?.set(nil)
    shell.stop(completion: completion)
  }

  func applicationsChanged() {}

  func screenChanged(isLocked: Bool) { shell.handle(.locked(isLocked)) }

  /// A transfer has changed, or is gone.
  func changed(_ id: ActivityID) {
    guard let state = service[id] else {
      speeds[id] = nil
      return shell.handle(.gone(id))
    }
    switch state.transfer.state {
    case .running:
      if speeds[id] == nil { speeds[id] = TransferSpeed() }
      progressTimer?.set(Loop.now + Limits.notificationInterval)
      tell(state)
    case .waiting:
      // One that has begun goes on when the other machine is there.
      let isAsked = state.transfer.direction == .sending && speeds[id] == nil
      if isAsked { tell(state) } else { shell.handle(.gone(id)) }
    case .asking: break
    case .done, .failed:
      // What ended before the agent started, or before anything began, was said or is in the list.
      let hasRun = speeds.removeValue(forKey: id) != nil
      if hasRun || state.transfer.reason.map(Self.isNews) ?? false { tell(state) } else { shell.handle(.gone(id)) }
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
    guard !isWatched(state.transfer.id) else { return shell.handle(.gone(state.transfer.id)) }
    shell.handle(.changed(TransferNotice(state, speeds[state.transfer.id])))
  }

  /// A terminal may have begun to show one that was sent a moment ago.
  private func leaveOutWatched() {
    for state in service.all where isWatched(state.transfer.id) { shell.handle(.gone(state.transfer.id)) }
  }

  private func perform(_ effect: TransferNotifications.Effect) {
    let server = shell.server
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
    case .close(let id): shell.close(id)
    case .cancel(let id): _ = service.cancel(id)
    case .open(let id): if let folder = service[id]?.transfer.folder { open(folder) }
    case .wake(let instant): shell.wake(at: instant)
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
