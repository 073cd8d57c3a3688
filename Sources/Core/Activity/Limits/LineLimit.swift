// SPDX-License-Identifier: Apache-2.0

/// How many log lines one source may cause. The journal accepts only so many lines of the whole daemon in a given time,
/// and drops the rest, whoever caused them.
package struct LineLimit: Equatable, Sendable {
  private var bucket: TokenBucket
  private var leftOut = 0

  package init(_ rate: TokenBucket.Rate, at now: ContinuousClock.Instant) { bucket = TokenBucket(rate, at: now) }

  /// - Returns: Nil if the line must be left out; otherwise how many lines were left out since the last one.
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
