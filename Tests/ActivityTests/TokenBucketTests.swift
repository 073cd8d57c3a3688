// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@Suite struct TokenBucketTests {
  private let start = ContinuousClock.Instant.now

  @Test func soMuchAtOnceAndThenAtAnEvenRate() {
    var bucket = TokenBucket(TokenBucket.Rate(perSecond: 2, burst: 3), at: start)
    for _ in 0..<3 { #expect(bucket.take(at: start) == true) }
    #expect(bucket.take(at: start) == false)
    #expect(bucket.ready(at: start) == start + .milliseconds(500))
    #expect(bucket.take(at: start + .milliseconds(499)) == false)
    #expect(bucket.take(at: start + .milliseconds(500)) == true)
    #expect(bucket.take(at: start + .milliseconds(500)) == false)
    // The bucket holds no more than its burst.
    for _ in 0..<3 { #expect(bucket.take(at: start + .seconds(3600)) == true) }
    #expect(bucket.take(at: start + .seconds(3600)) == false)
  }

  @Test func whatWasSpentAlreadyIsOwed() {
    var bucket = TokenBucket(TokenBucket.Rate(perSecond: 1, burst: 1), at: start)
    bucket.charge(3, at: start)
    #expect(bucket.ready(at: start) == start + .seconds(3))
    #expect(bucket.take(at: start + .milliseconds(2900)) == false)
    #expect(bucket.take(at: start + .seconds(3)) == true)
  }

  @Test func aClockThatStandsStillOrGoesBackGivesNothing() {
    var bucket = TokenBucket(TokenBucket.Rate(perSecond: 1, burst: 1), at: start)
    #expect(bucket.take(at: start) == true)
    #expect(bucket.take(at: start - .seconds(10)) == false)
    #expect(bucket.take(at: start) == false)
  }

  @Test func moreThanItEverHoldsIsReadyWhenItIsFull() {
    var bucket = TokenBucket(TokenBucket.Rate(perSecond: 1, burst: 2), at: start)
    #expect(bucket.take(2, at: start) == true)
    #expect(bucket.ready(for: 100, at: start) == start + .seconds(2))
  }
}
