// SPDX-License-Identifier: Apache-2.0

extension Dictionary {
  /// Removes the entries that satisfy the condition, and returns them.
  mutating func removeAll(where condition: (Element) -> Bool) -> [Element] {
    let removed = Array(lazy.filter(condition))
    for entry in removed { self[entry.key] = nil }
    return removed
  }
}
