/// Something that a test needed did not happen.
package struct TestFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What `body` throws; nil where it does not.
package func thrown<T>(by body: () throws -> T) -> (any Error)? {
  do {
    _ = try body()
    return nil
  } catch { return error }
}
