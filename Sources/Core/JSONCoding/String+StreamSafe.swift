// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Whether at most 30 combining marks follow one another, as in the Stream-Safe Text Format (UAX #15, section 13),
  /// which real text has. Comparing and hashing a string first sorts the marks, in a time that grows with the square of
  /// their number: 64 kB of them take seconds.
  package var isStreamSafe: Bool { !hasMarks(inARow: 31) }

  /// Whether `limit` combining marks follow one another somewhere.
  package func hasMarks(inARow limit: Int) -> Bool {
    guard utf8.count > limit, !utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : count + 1
      if count == limit { return true }
    }
    return false
  }
}
