// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
import Foundation
import Synchronization

/// Runs `body` on the loop and blocks this thread until it has finished.
package func onLoop<T: Sendable>(_ body: @escaping @Loop @Sendable () throws -> T) throws -> T {
  let outcome = Outcome<T>()
  Task { @Loop in outcome.set(Result { try body() }) }
  return try outcome.wait()
}

/// Runs `body` on its own thread, where it may block.
///
/// - Returns: The outcome, which waits for the thread to finish.
package func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) -> Outcome<T> {
  let outcome = Outcome<T>()
  Thread.detachNewThread { outcome.set(Result { try body() }) }
  return outcome
}

/// A result that one thread sets and other threads wait for.
package final class Outcome<T: Sendable>: Sendable {
  private let result = Mutex<Result<T, any Error>?>(nil)
  private let isThere = DispatchSemaphore(value: 0)

  package init() {}

  package func set(_ result: Result<T, any Error>) {
    self.result.withLock { $0 = $0 ?? result }
    isThere.signal()
  }

  /// Whether the result has been set.
  package var isSet: Bool { result.withLock { $0 != nil } }

  /// - Throws: `TestFailure` if there is no result in time.
  package func wait(_ time: Duration = patience * 2) throws -> T {
    guard isThere.wait(timeout: .now() + .seconds(Int(time.components.seconds))) == .success else {
      throw TestFailure("No result in \(time)")
    }
    isThere.signal()
    guard let result = result.withLock(\.self) else { throw TestFailure("No result") }
    return try result.get()
  }
}

/// Runs `body` on the loop, where it may wait, and blocks this thread until it has finished.
package func waitOnLoop<T: Sendable>(_ body: @escaping @Loop @Sendable () async throws -> T) throws -> T {
  let outcome = Outcome<T>()
  Task { @Loop in
    do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
  }
  return try outcome.wait()
}
