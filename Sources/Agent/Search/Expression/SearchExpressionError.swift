// SPDX-License-Identifier: Apache-2.0

import Activity

/// Why a text is not an expression.
package struct SearchExpressionError: Error, Equatable, Sendable {
  /// Where it is wrong, in bytes.
  package let offset: Int
  /// What was expected there: `a value`.
  package let expected: String

  package init(offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  /// A sentence for people.
  package var message: String { "The query isn't valid: expected \(expected) at byte \(offset)." }
}
