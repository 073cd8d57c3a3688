// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// The waits of one diagnosis, one at a time: until a condition holds or the time is over.
@Loop
final class Wait {
  private var condition: (@Loop () -> Bool)?
  private var continuation: CheckedContinuation<Void, Never>?
  private var timer: Timer?

  /// Returns immediately if `condition` holds, otherwise when it holds at a ``look()``, but after `time` at the latest.
  func until(within time: Duration, _ condition: @escaping @Loop () -> Bool) async {
    guard !condition() else { return }
    await withCheckedContinuation { continuation in
      self.continuation = continuation
      self.condition = condition
      timer = Timer { [weak self] in self?.end() }
      timer?.set(Loop.now + time)
    }
  }

  /// Checks the condition, because something has changed.
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

/// Returns what `body` passes to its completion; nil if that does not happen within `time`.
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
