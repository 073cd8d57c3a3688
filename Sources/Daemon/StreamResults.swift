import Activity
import EventLoop

/// What became of streams, for the programs that ask once their connection has ended.
@Loop
final class StreamResults {
  private enum State {
    case running(waiting: [@Loop (Reason?) -> Void])
    case ended(Reason?)
  }

  /// Streams that are over and still remembered; the oldest goes first.
  private static let rememberedCount = 256
  private var states: [String: State] = [:]
  private var ended: [String] = []
  private var last: UInt64 = 0

  /// Programs that wait for the end of a stream.
  var waiterCount: Int {
    states.values.reduce(0) { count, state in if case .running(let waiting) = state { count + waiting.count } else { count } }
  }

  /// - Returns: The name of a new stream.
  func begin() -> String {
    last += 1
    let token = "stream-\(last)"
    states[token] = .running(waiting: [])
    return token
  }

  func end(_ token: String, _ reason: Reason?) {
    guard case .running(let waiting) = states[token] else { return }
    states[token] = .ended(reason)
    ended.append(token)
    if ended.count > Self.rememberedCount { states[ended.removeFirst()] = nil }
    for waiter in waiting { waiter(reason) }
  }

  /// Calls `waiter` when the stream is over.
  ///
  /// - Returns: False where there is no such stream.
  func wait(for token: String, _ waiter: @escaping @Loop (Reason?) -> Void) -> Bool {
    switch states[token] {
    case .running(let waiting): states[token] = .running(waiting: waiting + [waiter])
    case .ended(let reason): waiter(reason)
    case nil: return false
    }
    return true
  }
}
