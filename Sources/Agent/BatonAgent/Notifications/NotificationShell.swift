// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Systemd

/// How long a stopping agent waits until the server has withdrawn what it shows.
private let notificationStopTime = Duration.milliseconds(500)

/// Tells a machine what the notification server does, and performs what is the same for every kind of notifications.
@Loop
final class NotificationShell<Machine: NotificationMachine> {
  let server: NotificationServer
  /// Performs an effect of the machine.
  var perform: (@Loop (Machine.Effect) -> Void)?
  /// Called before the machine is woken.
  var beforeWake: (@Loop () -> Void)?

  private var machine = Machine()
  private let log: Log
  private var timer: Timer?
  private var isSilent = false
  /// Called once everything is withdrawn, or at the deadline.
  private var completion: (@Loop () -> Void)?
  private var deadline: Timer?

  /// - Parameter complains: Whether the log says that there is no server. One of several should.
  init(log: Log, complains: Bool = true) {
    self.log = log
    server = NotificationServer(log: log, complains: complains)
    timer = Timer { [weak self] in
      self?.beforeWake?()
      self?.handle(.wake)
    }
    server.onEvent = { [weak self] in self?.happened($0) }
  }

  /// Withdraws everything.
  ///
  /// - Parameter completion: Called when that is done, but after `notificationStopTime` at the latest; perhaps
  ///   before this returns.
  func stop(completion: @escaping @Loop () -> Void) {
    self.completion = completion
    deadline = Timer { [weak self] in self?.end() }
    deadline?.set(Loop.now + notificationStopTime)
    handle(.stopped)
  }

  func handle(_ event: Machine.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform?(effect) }
    endIfSettled()
  }

  private func happened(_ event: NotificationServer.Event) {
    switch event {
    case .shown, .serverChanged: isSilent = false
    default: break
    }
    if let event = Machine.Event(event) { handle(event) }
  }

  // MARK: Effects

  func close(_ id: NotificationServer.ID) { server.close(id) { [weak self] in self?.endIfSettled() } }

  func wake(at instant: ContinuousClock.Instant?) { timer?.set(instant) }

  /// Called when the server does not reply.
  func complainOfSilence() {
    if !isSilent { log.notice("The notification server isn't responding") }
    isSilent = true
  }

  private func endIfSettled() { if completion != nil, machine.isSettled, server.closing == 0 { end() } }

  private func end() {
    deadline?.set(nil)
    server.stop()
    let completion = completion
    self.completion = nil
    completion?()
  }
}
