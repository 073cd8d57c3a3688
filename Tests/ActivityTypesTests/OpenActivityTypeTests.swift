import ActivityTypes
import Testing

struct OpenActivityTypeTests {
  @Test func webPagesHaveTheNameThatAppleGaveThem() {
    #expect(OpenActivityType.webPage.rawValue == "NSUserActivityTypeBrowsingWeb")
  }
}
