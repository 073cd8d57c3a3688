// SPDX-License-Identifier: Apache-2.0

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
  let start = ContinuousClock.now
  while try !condition() {
    let passed = start.duration(to: .now)
    guard passed < time else { throw TestFailure("Not in time: \(claim)") }
    // Each check takes processor time that other tests need, so what takes long is checked less often.
    usleep(UInt32(max(2, min(passed / .milliseconds(10), 50)) * 1_000))
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
