// SPDX-License-Identifier: Apache-2.0

/// One call of a local program that waits for its answer, or for events.
package struct ClientID: Hashable, Sendable {
  package let number: UInt64

  package init(_ number: UInt64) { self.number = number }
}
