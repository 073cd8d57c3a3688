import EventLoop
import Foundation

/// What an input and an output stream are made of, apart from their names.
///
/// Any thread.
final class StreamCore: Sendable {
  enum Direction { case input, output }

  let direction: Direction
  let outcome: StreamOutcome
  /// Nothing is called with this lock that could let go of an app's object: its `deinit` may come back here.
  let state: Locked<StreamState>

  init(_ direction: Direction, _ socket: StreamSocket, leftover: [UInt8] = [], _ outcome: StreamOutcome) {
    self.direction = direction
    self.outcome = outcome
    var state = StreamState(direction, outcome)
    state.socket = socket
    state.leftover = leftover[...]
    self.state = Locked(state)
  }

  /// An output stream that is closed.
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

  /// Until the stream is closed.
  var socket: StreamSocket? { state.withLock(\.socket) }

  func open() {
    state.withLock { state in
      guard state.status == .notOpen else { return }
      state.status = .open
      state.isOpenDue = true
    }
    refresh()
  }

  /// Once: ends this direction, wakes threads that wait, and lets go of everything.
  func close() {
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
    if direction == .output, old.status == .open { ProcessExit.wait(for: outcome) }
    if direction == .output { old.socket?.closeOutput() } else if old.status != .atEnd { old.socket?.closeInput() }
  }

  /// The stream cannot go on, for a reason of this process.
  func fail(_ error: SystemError) {
    state.withLock { state in
      if state.status == .open { state.fail(StreamFailure.system(error)) }
    }
    refresh()
  }
}
