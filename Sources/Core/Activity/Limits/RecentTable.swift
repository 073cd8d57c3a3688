// SPDX-License-Identifier: Apache-2.0

/// A table of what was used recently. It keeps about as many entries as its limit allows, and forgets the others.
package struct RecentTable<Key: Hashable, Value> {
  private let limit: Int
  /// There are two generations. The older one is forgotten when the newer one is full.
  private var recent: [Key: Value] = [:]
  private var earlier: [Key: Value] = [:]

  /// - Parameter limit: The maximum number of entries.
  package init(limit: Int) { self.limit = limit }

  package subscript(key: Key) -> Value? {
    get { recent[key] ?? earlier[key] }
    set {
      earlier[key] = nil
      if recent.count >= limit / 2, recent[key] == nil { (earlier, recent) = (recent, [:]) }
      recent[key] = newValue
    }
  }

  package var count: Int { recent.count + earlier.count }
}

extension RecentTable: Sendable where Key: Sendable, Value: Sendable {}
