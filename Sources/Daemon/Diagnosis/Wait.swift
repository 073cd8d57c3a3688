import EventLoop

/// Waits of one diagnosis, one at a time: until something holds, or its time is over.
@Loop
final class Wait {
  private var condition: (@Loop () -> Bool)?
  private var continuation: CheckedContinuation<Void, Never>?
  private var timer: Timer?

  /// Returns when `condition` holds at a ``look()``, or at once where it does; at the latest after `time`.
  func until(within time: Duration, _ condition: @escaping @Loop () -> Bool) async {
    guard !condition() else { return }
    await withCheckedContinuation { continuation in
      self.continuation = continuation
      self.condition = condition
      timer = Timer { [weak self] in self?.end() }
      timer?.set(Loop.now + time)
    }
  }

  /// Something has changed.
  func look() {
    if condition?() == true { end() }
  }

  private func end() {
    timer = nil
    condition = nil
    let continuation = continuation
    self.continuation = nil
    continuation?.resume()
  }
}

/// What `body` gives to its completion; nil where it does not within `time`.
@Loop
func within<T: Sendable>(_ time: Duration, _ body: @Loop (@escaping @Loop (T) -> Void) -> Void) async -> T? {
  var value: T?
  let wait = Wait()
  body {
    value = $0
    wait.look()
  }
  await wait.until(within: time) { value != nil }
  return value
}
