// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

/// The common implementation of input and output streams. Any thread may use it.
final class StreamCore: Sendable {
  enum Direction { case input, output }

  let direction: Direction
  let outcome: StreamOutcome
  /// The state. Code that runs under this lock must not release an app's object, because the object's `deinit` may call
  /// back into this.
  let state: Locked<StreamState>

  init(_ direction: Direction, _ socket: StreamSocket, leftover: [UInt8] = [], _ outcome: StreamOutcome) {
    self.direction = direction
    self.outcome = outcome
    var state = StreamState(direction, outcome)
    state.socket = socket
    state.leftover = leftover[...]
    self.state = Locked(state)
  }

  /// Creates a closed output stream.
  init() {
    direction = .output
    outcome = StreamOutcome()
    var state = StreamState(direction, outcome)
    state.status = .closed
    self.state = Locked(state)
  }

  var status: Stream.Status { state.withLock(\.status) }

  var error: (any Error)? {
    state.withLock { state in
      state.settleError()
      return state.error ?? (state.status == .error ? StreamFailure.connectionLost : nil)
    }
  }

  /// The socket. Nil once the stream is closed.
  var socket: StreamSocket? { state.withLock(\.socket) }

  func open() {
    state.withLock { state in
      guard state.status == .notOpen else { return }
      state.status = .open
      state.isOpenDue = true
    }
    refresh()
  }

  /// Ends this direction, wakes waiting threads, and releases everything. Does this only once.
  func close() { close(isIntended: true) }

  /// Called when the app has released the stream. Unless it has closed it or seen its end, it is unknown whether the
  /// stream is complete.
  func release() { close(isIntended: false) }

  private func close(isIntended: Bool) {
    let old = state.withLock { state -> StreamState? in
      guard state.status != .closed else { return nil }
      let old = state
      if state.status == .error { state.error = state.error ?? StreamFailure.connectionLost }
      state.status = .closed
      state.socket = nil
      state.leftover = []
      state.schedules = []
      return old
    }
    guard let old else { return }
    old.wakeup?.give()
    old.watch?.stop()
    for schedule in old.schedules { schedule.cancel() }
    let isOver = old.status == .atEnd || old.status == .error
    if !isIntended, !isOver, let socket = old.socket { return outcome.giveUp(socket) }
    guard !outcome.isGivenUp else { return }
    if direction == .output, old.status == .open { ProcessExit.wait(for: outcome) }
    if direction == .output { old.socket?.closeOutput() } else if old.status != .atEnd { old.socket?.closeInput() }
  }

  /// Ends the stream with an error, for a reason in this process.
  func fail(_ error: SystemError) {
    state.withLock { state in
      if state.status == .open { state.fail(StreamFailure.system(error)) }
    }
    refresh()
  }
}
