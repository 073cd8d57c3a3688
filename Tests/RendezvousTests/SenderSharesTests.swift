// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct SenderSharesTests {
  private let start = ContinuousClock.Instant.now

  @Test func whoSaysTooMuchTakesNothingFromOthers() {
    var shares = SenderShares(at: start)
    let heard = (0..<10_000).count { _ in shares.take(from: "loud", at: start) }
    #expect(heard == Int(SenderShares.rendezvousSenderRate.burst))
    let heard1 = shares.take(from: "quiet", at: start)
    #expect(heard1)
    let heard2 = shares.take(from: "loud", at: start + .seconds(1))
    #expect(heard2)
  }

  /// A server can make up names. Those that it has said nothing as for a while keep their shares.
  @Test func madeUpNamesShareWhatIsLeft() {
    var shares = SenderShares(at: start)
    let heard3 = shares.take(from: "known", at: start)
    #expect(heard3)
    let heard = (0..<100_000).count { shares.take(from: "made up \($0)", at: start) }
    #expect(heard == SenderShares.rendezvousSenders - 1 + Int(SenderShares.rendezvousSenderRate.burst))
    let heard4 = shares.take(from: "known", at: start)
    #expect(heard4)
    let heard5 = shares.take(from: "new", at: start + .seconds(10))
    #expect(heard5, "There is room again")
  }

  @Test func allTogetherAreLimited() {
    var shares = SenderShares(at: start)
    let burst = Int(SenderShares.rendezvousOpeningRate.burst)
    let heard = (0..<SenderShares.rendezvousSenders).reduce(0) { sum, number in
      sum + (0..<20).count { _ in shares.take(from: "\(number)", at: start) }
    }
    #expect(heard == burst)
  }
}
