// SPDX-License-Identifier: Apache-2.0

/// The keys that seal the secrets in the state directory.
package struct StateKeys: Sendable {
  /// Nil if secrets are not sealed.
  package var current: [UInt8]?
  /// The key with which they may still be sealed.
  package var previous: [UInt8]?

  package init(current: [UInt8]? = nil, previous: [UInt8]? = nil) {
    self.current = current
    self.previous = previous
  }
}
