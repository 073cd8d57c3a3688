// SPDX-License-Identifier: Apache-2.0

import Desktop
import Testing

struct ServingPaceTests {
  @Test func whoeverBreaksStreamsWaitsEverLonger() {
    var pace = ServingPace()
    var now = ContinuousClock.now
    var pauses: [Duration] = []
    #expect(pace.next == nil)
    for _ in 0..<9 {
      pace.begin(at: now)
      let next = pace.next ?? now
      pauses.append(next - now)
      now = next
    }
    #expect(pauses == [1, 2, 4, 8, 10, 10, 10, 10, 10].map { .seconds($0) })
  }

  @Test func afterAStreamThatWasUsedThereIsNoWait() {
    var pace = ServingPace()
    var now = ContinuousClock.now
    for _ in 0..<5 {
      pace.begin(at: now)
      #expect(pace.next == now + .seconds(1))
      now += ServingPace.usedStreamTime
    }
  }
}
