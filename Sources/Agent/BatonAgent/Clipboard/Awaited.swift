// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
import Synchronization

/// A value from the loop for which a thread waits that is not the loop's.
final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let semaphore = DispatchSemaphore(value: 0)

  private init() {}

  private func set(_ value: Value?) {
    self.value.withLock { $0 = value }
    semaphore.signal()
  }

  /// - Parameter body: Called on the loop. It calls its argument, with nil if there is no value.
  /// - Returns: Nil also if that takes too long.
  static func value(
    within time: Duration,
    _ body: @escaping @Loop (_ completion: @escaping @Loop (Value?) -> Void) -> Void
  ) -> Value? {
    let awaited = Awaited()
    Task { @Loop in body { awaited.set($0) } }
    guard awaited.semaphore.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1)))) == .success else {
      return nil
    }
    return awaited.value.withLock { $0 }
  }
}
