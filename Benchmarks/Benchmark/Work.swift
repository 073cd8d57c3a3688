// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A blocking piece of work on its own thread.
final class Work<Value> {
  private let body: () throws -> Value
  private var outcome: Result<Value, any Error>?
  private var thread = pthread_t()
  private let hasEnded = Atomic<Bool>(false)

  init(_ body: @escaping () throws -> Value) {
    self.body = body
    pthread_create(
      &thread,
      nil,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<AnyObject>.fromOpaque(context).takeRetainedValue()
        (work as? any Runnable)?.run()
        return nil
      },
      Unmanaged<AnyObject>.passRetained(self).toOpaque()
    )
  }

  /// Whether ``result()`` would not wait.
  var isDone: Bool { hasEnded.load(ordering: .acquiring) }

  /// Waits until the work is done, and returns its result.
  func result() throws -> Value {
    pthread_join(thread, nil)
    guard let outcome else { preconditionFailure("The thread ended without a result") }
    return try outcome.get()
  }
}

private protocol Runnable { func run() }

extension Work: Runnable {
  fileprivate func run() {
    outcome = Result(catching: body)
    hasEnded.store(true, ordering: .releasing)
  }
}
