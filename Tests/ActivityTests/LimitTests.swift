// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

struct LimitTests {
  @Test func anAppThatBlocksForASecondSavesAndTheStateStillArrives() {
    #expect(Limits.saveTime >= .seconds(2))
    #expect(Limits.saveTime + .seconds(2) <= Limits.fetchTime)
  }

  @Test func aPageIsShownBeforeItsLaunchIsOver() {
    // First for the apps' variables, and then for the scope.
    let scope = Limits.scopeTime * 2
    #expect(Limits.fetchTime + Limits.associationTime + scope + Limits.browserTime < Limits.launchTime)
    #expect(Limits.fetchTime + Limits.associationTime + Limits.activationTime < Limits.launchTime)
  }
}
