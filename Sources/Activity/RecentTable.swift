/// What is known of those that were dealt with lately: about so many, and the others are forgotten.
package struct RecentTable<Key: Hashable, Value> {
  private let limit: Int
  /// In two generations: the older one is forgotten when the newer one is full.
  private var recent: [Key: Value] = [:]
  private var earlier: [Key: Value] = [:]

  /// - Parameter limit: How many are known at most.
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
