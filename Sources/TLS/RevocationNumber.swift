/// The numbers of revocation lists: each is greater than all that its authority knew, and none comes twice, also where
/// the authority's machine was put back to an earlier state and knows less than the others.
package enum RevocationNumber {
  /// Bits that are random: two lists of one second differ, too.
  private static let randomBits = 20
  /// Beyond it a clock tells nothing. The numbers made of it leave room for as many again below 2^63.
  private static let latest: Int64 = 1 << 42

  /// The greater of what follows `greatest` and what the clock says, each with some random bits: a clock that was set
  /// back makes no number come again either.
  ///
  /// - Parameters:
  ///   - greatest: Of the lists that are known; 0 for none.
  ///   - now: Seconds since 1970.
  ///   - random: At random.
  /// - Returns: Nil where no number is left below 2^63, which the languages of others can hold.
  package static func next(after greatest: UInt64, now: Int64, random: UInt64) -> UInt64? {
    let noise = random & (1 << randomBits - 1)
    let (following, isTooGreat) = greatest.addingReportingOverflow(1 + noise)
    guard !isTooGreat, following <= Int64.max else { return nil }
    return max(following, UInt64(min(max(now, 0), latest)) << randomBits | noise)
  }
}
