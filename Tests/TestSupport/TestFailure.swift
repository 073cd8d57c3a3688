// SPDX-License-Identifier: Apache-2.0

/// Something that a test needed did not happen.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Returns the error that `body` throws; nil if it throws none.
package func thrown<T>(by body: () throws -> T) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch { return error }
}
