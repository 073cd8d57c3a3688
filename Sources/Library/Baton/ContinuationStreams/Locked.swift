// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value that one thread at a time uses.
///
/// It does not use the standard library's `Mutex`. If threads contend for a `Mutex`, the thread sanitizer does not see
/// it, and these are the locks that it must watch.
// Unchecked: `value` is only used with the lock.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
