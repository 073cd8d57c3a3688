// SPDX-License-Identifier: Apache-2.0

extension JSON {
  /// Whether the text of the value could be shorter than `length` bytes. Examines no more of the value than that takes.
  package func isShorter(than length: Int) -> Bool {
    var rest = length
    count(down: &rest)
    return rest > 0
  }

  /// Subtracts the minimum length of the value's text.
  // Checked rest: lengths of what is in memory are subtracted, once each.
  private func count(down rest: inout Int) {
    guard rest > 0 else { return }
    switch self {
    case .null, .bool, .integer, .unsigned, .double: rest -= 1
    case .string(let value): rest -= value.utf8.count + 2
    case .array(let elements):
      rest -= 2
      for element in elements where rest > 0 { element.count(down: &rest) }
    case .object(let members):
      rest -= 2
      for (key, value) in members where rest > 0 {
        rest -= key.utf8.count + 3
        value.count(down: &rest)
      }
    }
  }
}
