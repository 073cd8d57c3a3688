// SPDX-License-Identifier: Apache-2.0

/// Distributes a limited number of places among lists. Each list gets its first element in before any gets its second.
/// So a list with few elements gets all of them in, however long the others are.
struct Turns<Element: Hashable> {
  private(set) var taken: Set<Element> = []
  /// The index of the first list that has an element left out.
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
      turn += 1  // Checked: less than the longest list's length.
    }
  }
}
