// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// How a stream ended, which its socket cannot tell. The code that asks the daemon sets it once, for both streams of a
/// pair.
///
/// Any thread may use it.
package final class StreamOutcome: Sendable {
  /// The time from the end of a stream's socket until the daemon reports how the stream ended. The daemon is on the
  /// same machine, and reports immediately.
  package static let streamOutcomeTime = Duration.seconds(5)

  package enum Ending: Sendable {
    /// Both directions were complete.
    case whole
    case broken(any Error)
  }

  /// What happens when the app gives the stream up.
  ///
  /// - Parameter hangUp: Ends the socket. Must be called once.
  package typealias GiveUp = @Sendable (_ hangUp: @escaping @Sendable () -> Void) -> Void

  private struct State {
    var ending: Ending?
    var handlers: [@Sendable () -> Void] = []
    weak var socket: StreamSocket?
    var giveUp: GiveUp?
    var isGivenUp = false
  }

  /// How long the streams wait for the outcome after their socket has ended.
  let time: Duration
  private let state = Locked(State())
  private let isKnown = DispatchSemaphore(value: 0)

  package init(time: Duration = StreamOutcome.streamOutcomeTime) { self.time = time }

  /// Sets how the stream ended. Only the first call has an effect.
  ///
  /// - Parameter error: The `streamError` of both streams. Nil if the stream is whole.
  package func set(_ error: (any Error)?) {
    let handlers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.ending == nil else { return [] }
      state.ending = error.map(Ending.broken) ?? .whole
      defer { (state.handlers, state.giveUp) = ([], nil) }
      return state.handlers
    }
    isKnown.signal()
    for handler in handlers { handler() }
  }

  /// Sets what happens if the app gives the stream up before the outcome is set. The daemon must learn it before the
  /// socket ends, because the end of a socket alone looks like a proper one.
  package func whenGivenUp(_ handler: @escaping GiveUp) {
    state.withLock { state in
      if state.ending == nil { state.giveUp = handler }
    }
  }

  /// Whether one of the two streams was released before it was closed.
  var isGivenUp: Bool { state.withLock(\.isGivenUp) }

  /// Breaks the stream for both apps.
  func giveUp(_ socket: StreamSocket) {
    let (isFirst, handler) = state.withLock { state -> (Bool, GiveUp?) in
      defer { state.isGivenUp = true }
      return (!state.isGivenUp, state.giveUp)
    }
    // Both streams have one socket, which ends after the daemon was told.
    guard isFirst else { return }
    set(StreamFailure.released)
    guard let handler else { return socket.hangUp() }
    handler { socket.hangUp() }
  }

  /// Whether the streams' socket has hung up while an app still has one of the streams. The daemon does not resume it
  /// then.
  package var isSocketOver: Bool { state.withLock(\.socket)?.isHungUp ?? false }

  func follow(_ socket: StreamSocket) { state.withLock { $0.socket = socket } }

  /// How the stream ended. Nil until it is set.
  package var ending: Ending? { state.withLock(\.ending) }

  /// Blocks the thread until the outcome is set. Returns nil if that does not happen in time.
  package func wait(until deadline: ContinuousClock.Instant) -> Ending? {
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    let timeout = DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    // For the next thread that waits.
    if isKnown.wait(timeout: timeout) == .success { isKnown.signal() }
    return ending
  }

  /// Calls `handler` once the outcome is set, on the thread that sets it, or now if it is set already.
  package func whenSet(_ handler: @escaping @Sendable () -> Void) {
    let isSet = state.withLock { state in
      if state.ending == nil { state.handlers.append(handler) }
      return state.ending != nil
    }
    if isSet { handler() }
  }
}
