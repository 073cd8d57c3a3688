// SPDX-License-Identifier: Apache-2.0

import Foundation

extension StreamCore {
  /// Sets the stream object that apps know. It is not retained.
  func setStream(_ stream: Stream) {
    let recipient = EventRecipient(stream: stream)
    state.withLock { $0.recipient = recipient }
  }

  var delegate: (any StreamDelegate)? {
    get { state.withLock(\.recipient).delegate }
    set {
      var recipient = state.withLock(\.recipient)
      recipient.delegate = newValue
      state.withLock { $0.recipient = recipient }
      refresh()
    }
  }

  func schedule(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let isNew = state.withLock { state in
      state.status != .closed && !state.schedules.contains { $0.isFor(runLoop, mode) }
    }
    guard isNew else { return }
    let schedule = RunLoopSchedule(runLoop, mode) { [weak self] in self?.deliver() ?? false }
    let isClosed = state.withLock { state in
      if state.status != .closed { state.schedules.append(schedule) }
      return state.status == .closed
    }
    if isClosed { schedule.cancel() } else { refresh() }
  }

  func unschedule(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
    let schedule = state.withLock { state -> RunLoopSchedule? in
      guard let index = state.schedules.firstIndex(where: { $0.isFor(runLoop, mode) }) else { return nil }
      return state.schedules.remove(at: index)
    }
    schedule?.cancel()
  }

  /// Called when the socket has something to check, or the outcome is known.
  func becameReady() {
    state.withLock { state in
      state.isReady = true
      state.isWatching = false
    }
    refresh()
  }

  /// Called after each change. Ensures that the delegate receives the events that are due.
  func refresh() {
    guard delegate != nil else { return }
    let (plan, watch) = state.withLock { state in
      let plan = state.plan()
      if plan.watches || plan.asksOutcomeUntil != nil { state.watch = state.watch ?? StreamWatch(direction, self) }
      return (plan, state.watch)
    }
    for schedule in plan.toWake { schedule.wake() }
    if plan.watches { watch?.start() }
    if let deadline = plan.asksOutcomeUntil {
      outcome.whenSet { [weak self] in self?.becameReady() }
      watch?.wake(at: deadline)
    }
  }

  /// Sends the delegate one event, on the thread of a run loop.
  private func deliver() -> Bool {
    let recipient = state.withLock(\.recipient)
    guard let stream = recipient.stream, let delegate = recipient.delegate else { return false }
    let event = state.withLock { $0.nextEvent() }
    if let event { delegate.stream(stream, handle: event) }
    refresh()
    return event != nil
  }
}
