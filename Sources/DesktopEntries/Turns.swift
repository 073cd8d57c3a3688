/// Shares room for a number of things among lists: each list has its first thing in before any has its second. So those
/// with few things have all of theirs in, however long the others are.
struct Turns<Element: Hashable> {
  private(set) var taken: Set<Element> = []
  /// The number of the first list that has something left out.
  private(set) var firstLeftOut: Int?

  init(_ lists: [[Element]], limit: Int) {
    var rest = Array(lists.enumerated())
    var turn = 0
    while !rest.isEmpty {
      rest.removeAll { $0.element.count <= turn }
      for (number, list) in rest where !taken.contains(list[turn]) {
        guard taken.count < limit else {
          firstLeftOut = number
          return
        }
        taken.insert(list[turn])
      }
      turn += 1  // Checked: below the longest list.
    }
  }
}
