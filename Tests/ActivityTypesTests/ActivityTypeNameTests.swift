// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Testing

struct ActivityTypeNameTests {
  @Test func everyOpenTypeHasANameOfItsOwn() {
    let names = OpenActivityType.allCases.compactMap { ActivityTypeName.known($0.rawValue) }
    #expect(Set(names).count == OpenActivityType.allCases.count)
  }

  @Test func typesOfSystemsAndAppsAreNamedIfTheyAreKnown() {
    #expect(ActivityTypeName.known("NSUserActivityTypeBrowsingWeb") == "Web page")
    #expect(ActivityTypeName.known("com.apple.corespotlightitem") == "Search result")
    #expect(ActivityTypeName.known("org.example.reading") == nil)
  }
}
