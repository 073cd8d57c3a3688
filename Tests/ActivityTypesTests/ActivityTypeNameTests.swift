import ActivityTypes
import Testing

struct ActivityTypeNameTests {
  @Test func everyOpenTypeHasANameOfItsOwn() {
    #expect(Set(OpenActivityType.allCases.map(\.name)).count == OpenActivityType.allCases.count)
    for type in OpenActivityType.allCases { #expect(activityTypeName(type.rawValue) == type.name) }
  }

  @Test func typesOfSystemsAndAppsAreNamedIfTheyAreKnown() {
    #expect(activityTypeName("NSUserActivityTypeBrowsingWeb") == "Web page")
    #expect(activityTypeName("com.apple.corespotlightitem") == "Search result")
    #expect(activityTypeName("org.example.reading") == nil)
  }
}
