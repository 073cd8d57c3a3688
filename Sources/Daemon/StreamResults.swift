import Activity
import EventLoop

/// What became of streams, for the programs that ask once their connection has ended.
@Loop
final class StreamResults {
  /// A program that asked, and how it is told.
  struct Waiter {
    let hasLeft: @Loop () -> Bool
    let tell: @Loop (Reason?) -> Void
  }

  private enum State {
    case running(waiting: [Waiter])
    case ended(Reason?)
  }

  /// Streams that are over and still remembered; the oldest goes first.
  private static let rememberedCount = 256
  private var states: [String: State] = [:]
  private var ended: [String] = []
  private var last: UInt64 = 0

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
    for waiter in waiting { waiter.tell(reason) }
  }

  /// Whether a program that waits for the end of the stream is gone. The end of its stream is then no end that it meant:
  /// the kernel closes what a process has open when it is killed.
  func isAbandoned(_ token: String) -> Bool {
    guard case .running(let waiting) = states[token] else { return false }
    return waiting.contains { $0.hasLeft() }
  }

  /// Tells `waiter` when the stream is over.
  ///
  /// - Returns: False where there is no such stream.
  func wait(for token: String, _ waiter: Waiter) -> Bool {
    switch states[token] {
    case .running(let waiting): states[token] = .running(waiting: waiting + [waiter])
    case .ended(let reason): waiter.tell(reason)
    case nil: return false
    }
    return true
  }
}
