// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

struct OpenActivityTypeTests {
  @Test func webPagesHaveTheNameThatAppleGaveThem() {
    #expect(OpenActivityType.webPage.rawValue == "NSUserActivityTypeBrowsingWeb")
  }
}
