// SPDX-License-Identifier: Apache-2.0

extension Sequence {
  /// Returns the element to drop if there are too many: one of the owner who has the most. So nobody can push out what
  /// belongs to others by having many.
  ///
  /// - Parameters:
  ///   - owner: Returns an element's owner.
  ///   - mayGo: Whether an element may be dropped. The others only count.
  ///   - lastUse: Of several elements that may be dropped, the one with the lowest value is.
  /// - Returns: Nil if none may be dropped.
  package func surplus<Owner: Hashable>(
    of owner: (Element) -> Owner,
    where mayGo: (Element) -> Bool = { _ in true },
    by lastUse: (Element) -> some Comparable
  ) -> Element? {
    let counts = reduce(into: [:]) { $0[owner($1), default: 0] += 1 }
    return filter(mayGo).min { left, right in
      let (ofLeft, ofRight) = (counts[owner(left), default: 0], counts[owner(right), default: 0])
      return ofLeft == ofRight ? lastUse(left) < lastUse(right) : ofLeft > ofRight
    }
  }
}
