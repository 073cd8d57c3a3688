/// With what the secrets in the state directory are sealed.
package struct StateKeys: Sendable {
  /// Nil: with nothing.
  package var current: [UInt8]?
  /// What they may still be sealed with.
  package var previous: [UInt8]?

  package init(current: [UInt8]? = nil, previous: [UInt8]? = nil) {
    self.current = current
    self.previous = previous
  }
}
