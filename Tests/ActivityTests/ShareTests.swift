// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

/// How users share a limited number of things.
struct ShareTests {
  private let share = Share(total: 10, perUser: 6, forOthers: 3, forRoot: 1)

  /// Returns how many a user gets who takes as many as possible.
  private func taken(by user: UInt32, all: Int) -> Int {
    var (own, all) = (0, all)
    while share.allows(user, own: own, all: all) { (own, all) = (own + 1, all + 1) }
    return own
  }

  @Test func nobodyTakesAll() {
    #expect(taken(by: 1000, all: 0) == 6)
    #expect(taken(by: 1001, all: 6) == 1, "Others get one of what is kept for them")
    #expect(taken(by: 1002, all: 7) == 1)
    #expect(taken(by: 1003, all: 8) == 1)
    #expect(taken(by: 1004, all: 9) == 0)
    #expect(taken(by: 0, all: 9) == 1)
    #expect(taken(by: 0, all: 0) == 10)
    #expect(taken(by: 0, all: 10) == 0)
  }

  /// Whatever one user does, the next users still get something.
  @Test(arguments: [
    Limits.teamShare, Limits.staticPeerShare, Limits.controlConnectionShare, Limits.diagnosisShare, Limits.joinShare,
  ])
  func everyShareLeavesSomething(_ share: Share) {
    #expect(share.perUser <= share.total - share.forRoot - share.forOthers)
    #expect(share.forOthers > 0 && share.forRoot > 0)
  }
}
