/// How many lines of the log somebody may cause. The journal takes so many of the whole daemon in a time, and drops
/// those of others beyond it.
package struct LineLimit: Equatable, Sendable {
  private var bucket: TokenBucket
  private var leftOut = 0

  package init(_ rate: TokenBucket.Rate, at now: ContinuousClock.Instant) { bucket = TokenBucket(rate, at: now) }

  /// - Returns: Nil if the line is to be left out; otherwise how many lines were left out since the last one.
  package mutating func take(at now: ContinuousClock.Instant) -> Int? {
    guard bucket.take(at: now) else {
      leftOut += 1
      return nil
    }
    defer { leftOut = 0 }
    return leftOut
  }

  package func isFull(at now: ContinuousClock.Instant) -> Bool { bucket.isFull(at: now) }
}
