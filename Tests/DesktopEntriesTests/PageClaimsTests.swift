// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct PageClaimsTests {
  private func entry(_ id: String) throws -> DesktopEntry {
    let text = "[Desktop Entry]\nType=Application\nName=A\nExec=a %u\nX-Baton-Domains=a.org"
    return try #require(try DesktopEntry(id: id, path: "/\(id).desktop", DesktopFile(Array(text.utf8))))
  }

  /// Returns a domain's association, which repeats this component for the pages of `app` as often as it can, and then
  /// allows everything.
  private func association(_ component: String, count: Int? = nil) throws -> [UInt8] {
    let count = count ?? (Limits.associationLength - 100) / (component.utf8.count + 1)
    let components = Array(repeating: component, count: count) + ["{}"]
    let json = #"{"applinks":{"details":[{"appIDs":["T.app"],"components":[\#(components.joined(separator: ","))]}]}}"#
    try #require(json.utf8.count <= Limits.associationLength)
    return Array(json.utf8)
  }

  private func page(_ values: some Sequence<String>) throws -> WebPage {
    try #require(WebPage("https://a.org/?" + values.map { "a=\($0)" }.joined(separator: "&")))
  }

  /// A component that compares all values of `a`, which match, and then `b`, which does not.
  private static let dear = #"{"?":{"a":"*","b":"x"}}"#

  @Test func equalParametersCostAsOne() throws {
    let association = try association(Self.dear)
    func cost(_ count: Int) throws -> Int {
      var claims = PageClaims(try page(repeatElement("x", count: count)), [(try entry("app"), "a.org")])
      claims.answer("a.org", association)
      #expect(claims.applications?.map(\.id) == ["app"])
      return Limits.pageSteps - claims.steps
    }
    #expect(try cost(1000) == cost(1))
  }

  @Test func aPageThatIsTooMuchHasNoAppAndNamesTheDomain() throws {
    var claims = PageClaims(try page((0..<1000).map { "\($0)" }), [(try entry("app"), "a.org")])
    claims.answer("a.org", try association(Self.dear))
    #expect(claims.applications == [])
    #expect(claims.exhaustingDomain == "a.org")
    #expect(claims.steps == 0)
  }

  /// Six domains, each above the next, cost no more than one, and take nothing from an app that was confirmed earlier.
  @Test func allDomainsOfAPageHaveOneBudget() throws {
    let (honest, greedy, late) = (try entry("honest"), try entry("app"), try entry("late"))
    let names = (1...6).map { "\($0).org" }
    let all = [(honest, "a.org")] + names.map { (greedy, $0) } + [(late, "z.org")]
    var claims = PageClaims(try page((0..<1000).map { "\($0)" }), all)
    let association = try association(Self.dear)
    for name in names { claims.answer(name, association) }
    #expect(claims.steps == Limits.pageSteps, "Nothing is judged before what is preferred to it")
    #expect(claims.applications == nil)
    let simple = Array(#"{"activitycontinuation":{"apps":["T.honest","T.late"]}}"#.utf8)
    claims.answer("z.org", simple)
    claims.answer("a.org", simple)
    #expect(claims.applications == [honest])
    #expect(claims.exhaustingDomain == "1.org")
    #expect(claims.steps == 0)
  }

  @Test func aClaimIsJudgedOnce() throws {
    let app = try entry("app")
    var claims = PageClaims(try page(["x"]), [(app, "a.org"), (app, "b.org"), (app, "c.org")])
    let association = try association(Self.dear, count: 100)
    claims.answer("a.org", association)
    let one = Limits.pageSteps - claims.steps
    #expect(one > 0)
    claims.answer("a.org", association)
    #expect(Limits.pageSteps - claims.steps == one)
    claims.answer("c.org", association)
    claims.answer("b.org", association)
    #expect(Limits.pageSteps - claims.steps == 3 * one)
    #expect(claims.applications == [app, app, app])
    #expect(claims.domains == ["a.org", "b.org", "c.org"])
  }

  /// Each component costs something, even one that matches nothing, and so does each comparison of an app's name.
  @Test(arguments: [#"{"exclude":true,"/":""}"#, #"{"/":"x"}"#]) func whatFitsNothingIsCounted(component: String) throws
  {
    var claims = PageClaims(try page(["x"]), [(try entry("app"), "a.org")], steps: 9_000_000)
    claims.answer("a.org", try association(component))
    #expect(claims.exhaustingDomain == "a.org")
  }

  @Test func onlyTheNearestDomainsAreAskedOfAPage() throws {
    let labels = (1...20).map { "\($0)" } + ["org"]
    let names = labels.indices.dropLast().map { labels[$0...].joined(separator: ".") }
    var builder = CatalogBuilder()
    let text = "[Desktop Entry]\nType=Application\nName=A\nExec=a %u\nX-Baton-Domains="
    let domains = [names[0]] + names.dropFirst().reversed().map { "*.\($0)" }
    builder.add(id: "a", path: "/a.desktop", Array((text + domains.joined(separator: ";")).utf8))
    let page = try #require(WebPage("https://\(names[0])/"))
    let claims = builder.catalog.applications(for: page, team: "T")
    #expect(claims.map(\.domain) == Array(names.prefix(ApplicationCatalog.domainsPerPage)))
  }
}
