// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct LineLimitTests {
  private let start = ContinuousClock.now

  @Test func theNextLineSaysHowManyWereLeftOut() {
    var lines = LineLimit(TokenBucket.Rate(perSecond: 0.1, burst: 3), at: start)
    #expect((0..<10).map { _ in lines.take(at: start) } == [0, 0, 0] + Array(repeating: nil, count: 7))
    #expect(lines.take(at: start + .seconds(9)) == nil)
    #expect(lines.take(at: start + .seconds(10)) == 8)
    #expect(lines.take(at: start + .seconds(20)) == 0)
  }
}
