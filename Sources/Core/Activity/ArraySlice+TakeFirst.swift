// SPDX-License-Identifier: Apache-2.0

extension ArraySlice<UInt8> {
  /// Removes and returns the first bytes. Nil if there are fewer.
  ///
  /// - Parameter count: At least 0.
  package mutating func takeFirst(_ count: Int) -> ArraySlice<UInt8>? {
    guard self.count >= count else { return nil }
    defer { self = dropFirst(count) }
    return prefix(count)
  }
}
