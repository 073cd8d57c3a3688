import Glibc

/// How long a test waits for anything. This is much longer than needed, to allow for busy machines and sanitizers.
package let patience = Duration.seconds(30)

/// Blocks the thread until `condition` holds.
///
/// - Throws: `TestFailure` if it does not hold in time.
package func waitUntil(
  _ claim: String,
  within time: Duration = patience,
  _ condition: () throws -> Bool
) throws {
  let deadline = ContinuousClock.now + time
  while try !condition() {
    guard ContinuousClock.now < deadline else { throw TestFailure("Not in time: \(claim)") }
    usleep(2_000)
  }
}

/// Blocks the thread until `value` returns something.
package func waitFor<T>(_ claim: String, within time: Duration = patience, _ value: () throws -> T?) throws -> T {
  var found: T?
  try waitUntil(claim, within: time) {
    found = try value()
    return found != nil
  }
  guard let found else { throw TestFailure(claim) }
  return found
}
