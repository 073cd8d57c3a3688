// SPDX-License-Identifier: Apache-2.0

extension JSON {
  /// Whether arrays and objects are nested at most `depth` levels deep. `[1]` has one level.
  // Checked depth: at least 1 before it is reduced.
  package func isNested(within depth: Int) -> Bool {
    switch self {
    case .null, .bool, .integer, .unsigned, .double, .string: true
    case .array(let elements): depth > 0 && elements.allSatisfy { $0.isNested(within: depth - 1) }
    case .object(let members): depth > 0 && members.values.allSatisfy { $0.isNested(within: depth - 1) }
    }
  }
}
