// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

@Suite struct DialLimiterTests {
  private let start = ContinuousClock.Instant.now

  @Test func oneAddressIsDialledSoOften() {
    var limiter = DialLimiter<String>()
    var made = 0
    for second in 0..<60 {
      for _ in 0..<1000 where limiter.take(to: "victim", at: start + .seconds(second)) { made += 1 }
    }
    #expect(made == Int(DialLimits.dialsPerTargetRate.burst) + 59)
    #expect(limiter.take(to: "other", at: start + .seconds(59)) == true)
  }

  @Test func whatIsRefusedCostsItsTargetNothing() {
    var limiter = DialLimiter<Int>()
    for target in 0..<Int(DialLimits.dialsRate.burst) { #expect(limiter.take(to: target, at: start) == true) }
    for _ in 0..<10 { #expect(limiter.take(to: -1, at: start) == false) }
    for _ in 0..<Int(DialLimits.dialsPerTargetRate.burst) {
      #expect(limiter.take(to: -1, at: start + .milliseconds(250)) == true)
    }
  }

  @Test func allTogetherAreDialledSoOften() {
    var limiter = DialLimiter<Int>()
    var made = [0, 0]
    for second in 0..<2 {
      for target in 0..<10_000 where limiter.take(to: target, at: start + .seconds(second)) { made[second] += 1 }
    }
    #expect(made == [Int(DialLimits.dialsRate.burst), Int(DialLimits.dialsRate.perSecond)])
  }
}
