// SPDX-License-Identifier: Apache-2.0

/// Why a desktop entry cannot be used: one sentence for people, without its period.
package struct MalformedEntry: Error, Equatable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
