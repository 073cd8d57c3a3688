// SPDX-License-Identifier: Apache-2.0

/// The place of an entry among others.
struct Place<Value> {
  let id: Int
  let used: Double
  let relevance: Double
  let value: Value

  init(_ id: Int, used: Double, relevance: Double, of value: Value) {
    self.id = id
    self.used = used
    self.relevance = relevance
    self.value = value
  }

  /// The most relevant first; among equals, the one that was used last, and then the newest.
  static func isBefore(_ left: Place, _ right: Place) -> Bool {
    if left.relevance != right.relevance { return left.relevance > right.relevance }
    if left.used != right.used { return left.used > right.used }
    return left.id > right.id
  }
}
