// SPDX-License-Identifier: Apache-2.0

import Handoff
import Testing

struct AdvertPacerTests {
  private let start = ContinuousClock.now

  @Test func theFirstChangeGoesOutAtOnce() {
    var pacer = AdvertPacer()
    #expect(pacer.changed(at: start) == .publish)
    #expect(pacer.due(at: start + .seconds(1)) == nil)
  }

  @Test func aChangeSoonAfterWaitsForTheInterval() {
    var pacer = AdvertPacer()
    _ = pacer.changed(at: start)
    #expect(pacer.changed(at: start + .milliseconds(1)) == .wake(at: start + AdvertPacer.advertInterval))
    #expect(pacer.changed(at: start + .milliseconds(900)) == .wake(at: start + AdvertPacer.advertInterval))
    #expect(pacer.due(at: start + .milliseconds(999)) == .wake(at: start + AdvertPacer.advertInterval))
    #expect(pacer.due(at: start + AdvertPacer.advertInterval) == .publish)
    #expect(pacer.due(at: start + .seconds(2)) == nil)
  }

  @Test func aChangeAfterAPauseGoesOutAtOnce() {
    var pacer = AdvertPacer()
    _ = pacer.changed(at: start)
    #expect(pacer.changed(at: start + AdvertPacer.advertInterval) == .publish)
  }

  @Test func aBurstIsFollowedByTheSlowPace() {
    var pacer = AdvertPacer()
    var now = start
    for number in 0..<AdvertPacer.advertBurst {
      #expect(pacer.changed(at: now) == .publish, "number \(number)")
      now += AdvertPacer.advertInterval
    }
    // There are ten credits. The eleventh comes 6 s after the first was spent, and then there is one more every 6 s.
    let next = start + AdvertPacer.advertRefill * 1
    #expect(next < now)
    #expect(pacer.changed(at: now) == .publish)
    let later = start + AdvertPacer.advertRefill * 2
    #expect(pacer.changed(at: now + .milliseconds(1)) == .wake(at: later))
    #expect(pacer.due(at: later) == .publish)
  }

  @Test func constantChangesNeverExceedTheRate() {
    var pacer = AdvertPacer()
    var published: [ContinuousClock.Instant] = []
    var wake: ContinuousClock.Instant?
    for step in 0..<6000 {  // Ten minutes, with a change every 100 ms.
      let now = start + .milliseconds(100 * step)
      if let instant = wake, instant <= now, pacer.due(at: now) == .publish {
        published.append(now)
        wake = nil
      }
      switch pacer.changed(at: now) {
      case .publish: published.append(now)
      case .wake(let instant): wake = instant
      }
    }
    for (earlier, later) in zip(published, published.dropFirst()) {
      #expect(later - earlier >= AdvertPacer.advertInterval)
    }
    #expect(published.count <= 10 + 100)
    #expect(published.count >= 100)
  }

  @Test func theBucketFillsNoFurtherThanTheBurst() {
    var pacer = AdvertPacer()
    _ = pacer.changed(at: start)
    var now = start + .seconds(3600)
    var count = 0
    while pacer.changed(at: now) == .publish {
      count += 1
      now += AdvertPacer.advertInterval
    }
    #expect(count == 11)  // The burst, and what was refilled in its 10 s.
  }

  @Test func theLastChangeGetsOutInTime() {
    var pacer = AdvertPacer()
    var now = start
    for _ in 0..<1000 {
      _ = pacer.changed(at: now)
      now += .milliseconds(50)
    }
    guard case .wake(let instant) = pacer.changed(at: now) else { return #expect(Bool(false), "Too fast") }
    #expect(instant - now <= AdvertPacer.advertRefill)
    #expect(pacer.due(at: instant) == .publish)
  }
}
