extension Sequence {
  /// The element that goes if there are too many: one of the owner who has the most. So nobody pushes out what belongs
  /// to others by having many.
  ///
  /// - Parameters:
  ///   - owner: Whose an element is.
  ///   - mayGo: Other elements only count.
  ///   - lastUse: Of several elements that may go, the one with the least goes.
  /// - Returns: Nil if none may go.
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
