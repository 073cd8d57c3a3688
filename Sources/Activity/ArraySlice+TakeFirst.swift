extension ArraySlice<UInt8> {
  /// The first bytes, which are the rest's no more; nil where there are not as many.
  ///
  /// - Parameter count: 0 at least.
  package mutating func takeFirst(_ count: Int) -> ArraySlice<UInt8>? {
    guard self.count >= count else { return nil }
    defer { self = dropFirst(count) }
    return prefix(count)
  }
}
