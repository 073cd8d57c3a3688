import Activity
import Dispatch

/// How a stream ended, which its socket cannot tell: said once, by whoever asks the daemon, to both streams of a pair.
///
/// Any thread.
package final class StreamOutcome: Sendable {
  package enum Ending: Sendable {
    /// Both directions came to their end.
    case whole
    case broken(any Error)
  }

  private struct State {
    var ending: Ending?
    var handlers: [@Sendable () -> Void] = []
    weak var socket: StreamSocket?
  }

  /// How long the streams wait for it once their socket is over.
  let time: Duration
  private let state = Locked(State())
  private let isKnown = DispatchSemaphore(value: 0)

  package init(time: Duration = Limits.streamOutcomeTime) { self.time = time }

  /// Says how the stream ended; only the first time counts.
  ///
  /// - Parameter error: What the streams give as their `streamError`; nil where the stream is whole.
  package func set(_ error: (any Error)?) {
    let handlers = state.withLock { state -> [@Sendable () -> Void] in
      guard state.ending == nil else { return [] }
      state.ending = error.map(Ending.broken) ?? .whole
      defer { state.handlers = [] }
      return state.handlers
    }
    isKnown.signal()
    for handler in handlers { handler() }
  }

  /// Whether the streams' socket is over, while an app has one of them: the daemon will not go on with it.
  package var isSocketOver: Bool { state.withLock(\.socket)?.isHungUp ?? false }

  func follow(_ socket: StreamSocket) { state.withLock { $0.socket = socket } }

  /// Nil while it was not said.
  package var ending: Ending? { state.withLock(\.ending) }

  /// Blocks the thread until it is said; nil where it is not in time.
  package func wait(until deadline: ContinuousClock.Instant) -> Ending? {
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    let timeout = DispatchTime.now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
    // For the next who waits.
    if isKnown.wait(timeout: timeout) == .success { isKnown.signal() }
    return ending
  }

  /// Calls `handler` once it is said, on the thread that says it; now where it was.
  package func whenSet(_ handler: @escaping @Sendable () -> Void) {
    let isSet = state.withLock { state in
      if state.ending == nil { state.handlers.append(handler) }
      return state.ending != nil
    }
    if isSet { handler() }
  }
}
