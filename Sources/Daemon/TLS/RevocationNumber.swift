// SPDX-License-Identifier: Apache-2.0

/// The numbers of revocation lists. Each is greater than all that its authority knew. None is used twice, even if the
/// authority's machine was restored to an earlier state and knows less than the others.
package enum RevocationNumber {
  /// The number of random bits. They make two lists of the same second differ, too.
  private static let randomBits = 20
  /// The latest time that a number is made from. Numbers from this time leave as many unused below 2^63.
  private static let latest: Int64 = 1 << 42

  /// Returns the greater of two numbers: one that follows `greatest`, and one from the clock. Some random bits are
  /// added to each. So no number is repeated if the clock was set back, either.
  ///
  /// - Parameters:
  ///   - greatest: The greatest number of the known lists; 0 for none.
  ///   - now: Seconds since 1970.
  ///   - random: A random number.
  /// - Returns: Nil if no number is left below 2^63, which is what other languages can hold.
  package static func next(after greatest: UInt64, now: Int64, random: UInt64) -> UInt64? {
    let noise = random & (1 << randomBits - 1)
    let (following, isTooGreat) = greatest.addingReportingOverflow(1 + noise)
    guard !isTooGreat, following <= Int64.max else { return nil }
    return max(following, UInt64(min(max(now, 0), latest)) << randomBits | noise)
  }
}
