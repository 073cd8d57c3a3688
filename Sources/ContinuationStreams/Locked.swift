import Foundation

/// A value that one thread at a time uses.
///
/// Not the standard library's `Mutex`: the thread sanitizer does not see that one where threads contend for it, and these
/// are the locks that it is to watch over.
// Unchecked: `value` is used with the lock alone.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
