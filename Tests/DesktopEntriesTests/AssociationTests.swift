// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import TestSupport
import Testing

@testable import Desktop

struct AssociationTests {
  private static let app = "K7Q2M9XW4T.org.example.A"

  private func entry(_ keys: String...) throws -> DesktopEntry {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=App", "Exec=app %u", "X-Baton-Domains=a.org"] + keys
    let file = try DesktopFile(Array(lines.joined(separator: "\n").utf8))
    return try #require(try DesktopEntry(id: "org.example.A", path: "/a.desktop", file))
  }

  /// Returns whether an app without a team and one of the team may show the page.
  private func confirms(_ json: String, _ url: String = "https://a.org/x") throws -> [Bool] {
    let page = try #require(WebPage(url))
    return try [entry(), entry("X-Baton-TeamID=K7Q2M9XW4T")].map { entry in
      var claims = PageClaims(page, [(entry, "a.org")])
      claims.answer("a.org", Array(json.utf8))
      return claims.applications == [entry]
    }
  }

  /// A text that a file contains once and refers to often does not cost its length each time.
  @Test(arguments: ["variables", "defaults"]) func longTextsThatAreMeantOftenCostLittle(kind: String) throws {
    let long = String(repeating: "x", count: 60_000)
    let links =
      kind == "variables"
      ? """
      "substitutionVariables": {"a": ["\(long)"]},
      "details": [{"appIDs": ["\(Self.app)"], "components": [{"/": "\(String(repeating: "$(a)", count: 3000))"}]}]
      """
      : """
      "defaults": {"/": "\(long)"},
      "details": [{"appIDs": ["\(Self.app)"], "components": [{}\(String(repeating: ",{}", count: 3000))]}]
      """
    let before = try memoryInUse()
    let association = Association(Array(#"{"applinks": {\#(links)}}"#.utf8))
    #expect(try memoryInUse() - before < 512 << 20)
    #expect(association != nil)
  }

  /// Returns which of these pages of `https://a.org` the app may show.
  private func shown(
    _ components: String,
    _ pages: [String],
    defaults: String = "{}",
    links: String = "{}",
    variables: String = "{}"
  ) throws -> [String] {
    let detail = #"{"appIDs":["\#(Self.app)"],"components":\#(components),"defaults":\#(defaults)}"#
    let json = #"{"applinks":{"details":[\#(detail)],"defaults":\#(links),"substitutionVariables":\#(variables)}}"#
    try #require(Association(Array(json.utf8)) != nil)
    return try pages.filter { try confirms(json, "https://a.org" + $0) == [true, true] }
  }

  @Test func appsAreNamedWithTheirTeam() throws {
    #expect(try confirms(#"{"activitycontinuation":{"apps":["\#(Self.app)"]}}"#) == [true, true])
    #expect(try confirms(#"{"activitycontinuation":{"apps":["ABC.org.example.A"]}}"#) == [true, false])
    #expect(try confirms(#"{"applinks":{"details":[{"appIDs":["X.y","\#(Self.app)"]}]}}"#) == [true, true])
    #expect(
      try confirms(#"{"applinks":{"apps":[],"details":[{"appID":"\#(Self.app)","paths":["*"]}]}}"#) == [true, true]
    )
    #expect(try confirms(#"{"applinks":{"details":{"\#(Self.app)":{"paths":["*"]}}}}"#) == [true, true])
    for json in [
      "{}", "[]", "", "{", #"{"applinks":7}"#, #"{"activitycontinuation":{"apps":["org.example.A",".org.example.A"]}}"#,
      #"{"activitycontinuation":{"apps":["K.org.example.AB","K.x.org.example.A",7]}}"#,
      #"{"webcredentials":{"apps":["\#(Self.app)"]}}"#, #"{"appclips":{"apps":["\#(Self.app)"]}}"#,
    ] {
      #expect(try confirms(json) == [false, false], "\(json)")
    }
  }

  /// The example from Apple's documentation.
  @Test func theFirstComponentThatFitsDecides() throws {
    let components = ##"""
      [{"#": "no_universal_links", "exclude": true, "comment": 7}, {"/": "/buy/*"},
       {"/": "/help/website/*", "exclude": true}, {"/": "/help/*", "?": {"articleNumber": "????"}}]
      """##
    let pages = [
      "", "/", "/buy", "/buy/", "/buy/a/b", "/buy/a#no_universal_links", "/buy/a#no", "/Buy/a", "/help/a",
      "/help/a?articleNumber=1234", "/help/a?articleNumber=12345", "/help/website/a?articleNumber=1234",
      "/help/a?x&articleNumber=1234&y=z", "/help/a?articleNumber=1234&articleNumber=1",
    ]
    #expect(
      try shown(components, pages) == [
        "/buy/", "/buy/a/b", "/buy/a#no", "/help/a?articleNumber=1234", "/help/a?x&articleNumber=1234&y=z",
      ]
    )
  }

  @Test func pathsAreUnderstoodWhereThereAreNoComponents() throws {
    func shown(_ members: String) throws -> [String] {
      let json = #"{"applinks":{"details":[{"appID":"\#(Self.app)",\#(members)}]}}"#
      return try ["/", "/a", "/a/", "/a/b", "/c?a"].filter { try confirms(json, "https://a.org" + $0) == [true, true] }
    }
    #expect(try shown(#""paths":["NOT /a/*","/a*","/c"]"#) == ["/a", "/c?a"])
    #expect(try shown(#""paths":["*"]"#) == ["/", "/a", "/a/", "/a/b", "/c?a"])
    #expect(try shown(#""paths":["*"],"components":[{"/":"/a"}]"#) == ["/a"])
    #expect(try shown(#""paths":[]"#) == [])
    #expect(try shown(#""components":[]"#) == [])
    #expect(try shown(#""components":[{}]"#) == ["/", "/a", "/a/", "/a/b", "/c?a"])
  }

  @Test(arguments: [
    (#""paths":["/b",7,"*"]"#), #""paths":"*""#, #""components":{}"#, #""components":[7,{}]"#,
    #""components":[{"/":7},{}]"#, #""components":[{"?":{"a":7}},{}]"#, #""components":[{"exclude":1},{}]"#,
    #""components":[{"/":"/$(nothing)","exclude":true},{}]"#, #""components":[{"caseSensitive":"no"},{}]"#,
  ])
  func whatCannotBeUnderstoodConfirmsNothing(members: String) throws {
    #expect(try confirms(#"{"applinks":{"details":[{"appID":"\#(Self.app)",\#(members)}]}}"#) == [false, false])
  }

  @Test func signsStandForOneCharacterOrAny() throws {
    let pages = ["/", "/a", "/ab", "/abc", "/a/b", "/%C3%BC", "/a.b"]
    #expect(try shown(#"[{"/":"/?"}]"#, pages) == ["/a"])
    #expect(try shown(#"[{"/":"/?*"}]"#, pages) == ["/a", "/ab", "/abc", "/a/b", "/%C3%BC", "/a.b"])
    #expect(try shown(#"[{"/":"/a*b"}]"#, pages) == ["/ab", "/a/b", "/a.b"])
    #expect(try shown(#"[{"/":"/*b*c"}]"#, pages) == ["/abc"])
    #expect(try shown(#"[{"/":"/a*?"}]"#, pages) == ["/ab", "/abc", "/a/b", "/a.b"])
    #expect(try shown(#"[{"/":"**/"}]"#, pages) == ["/"])
    #expect(try shown(#"[{"/":"*b*"}]"#, pages) == ["/ab", "/abc", "/a/b", "/a.b"])
    #expect(try shown(#"[{"/":"/a.b"}]"#, pages) == ["/a.b"])
    #expect(try shown(#"[{"/":""}]"#, pages) == [])
    #expect(try shown(#"[{"/":"/?","percentEncoded":false}]"#, pages) == ["/a", "/%C3%BC"])
    #expect(try shown(#"[{"/":"/ü","percentEncoded":false}]"#, pages) == ["/%C3%BC"])
    #expect(try shown(#"[{"/":"/%C3%BC"}]"#, pages) == ["/%C3%BC"])
  }

  @Test func queriesAndFragments() throws {
    let pages = ["/", "/?", "/?a", "/?a=", "/?a=b", "/?b=a&a=b", "/?a=b&a=c", "/#a", "/?a=b#a", "/#a?a=b", "/?%61=b"]
    #expect(try shown(#"[{"?":"a=b"}]"#, pages) == ["/?a=b", "/?a=b#a"])
    #expect(try shown(#"[{"?":""}]"#, pages) == ["/", "/?", "/#a", "/#a?a=b"])
    #expect(try shown(#"[{"?":{"a":"b"}}]"#, pages) == ["/?a=b", "/?b=a&a=b", "/?a=b#a"])
    // A query item that is missing counts as empty.
    #expect(try shown(#"[{"?":{"a":""}}]"#, pages) == ["/", "/?", "/?a", "/?a=", "/#a", "/#a?a=b", "/?%61=b"])
    #expect(try shown(#"[{"?":{"a":"?*"}}]"#, pages) == ["/?a=b", "/?b=a&a=b", "/?a=b&a=c", "/?a=b#a"])
    #expect(try shown(#"[{"?":{"a":"b"},"percentEncoded":false}]"#, pages).contains("/?%61=b"))
    #expect(try shown(##"[{"#":"a"}]"##, pages) == ["/#a", "/?a=b#a"])
    #expect(try shown(##"[{"#":"a","?":"?*"}]"##, pages) == ["/?a=b#a"])
    #expect(try shown(#"[{"?":"*"}]"#, pages) == pages)
  }

  @Test func whatIsNearerOverridesDefaults() throws {
    let pages = ["/a", "/A", "/\u{E9}", "/\u{C9}"]
    #expect(try shown(#"[{"/":"/a"}]"#, pages) == ["/a"])
    #expect(try shown(#"[{"/":"/a","caseSensitive":false}]"#, pages) == ["/a", "/A"])
    #expect(try shown(#"[{"/":"/a"}]"#, pages, defaults: #"{"caseSensitive":false}"#) == ["/a", "/A"])
    #expect(try shown(#"[{"/":"/a"}]"#, pages, links: #"{"caseSensitive":false}"#) == ["/a", "/A"])
    let (no, yes) = (#"{"caseSensitive":false}"#, #"{"caseSensitive":true}"#)
    #expect(try shown(#"[{"/":"/a"}]"#, pages, defaults: yes, links: no) == ["/a"])
    #expect(try shown(#"[{"/":"/a","caseSensitive":true}]"#, pages, defaults: no) == ["/a"])
    let both = #"{"caseSensitive":false,"percentEncoded":false}"#
    #expect(try shown(#"[{"/":"/\u00e9"}]"#, pages, defaults: both) == ["/\u{E9}", "/\u{C9}"])
  }

  @Test func variablesStandForOneOfTheirValues() throws {
    let pages = ["/en_US/pizza/", "/en_us/pizza/", "/deu_DE/sushi/", "/en_US/soup/", "/7f/a", "/G/a", "/en_US//"]
    let food = #"{"food":["pizza","s*i","?urrito"]}"#
    #expect(
      try shown(#"[{"/":"/$(lang)_$(region)/$(food)/"}]"#, pages, variables: food) == [
        "/en_US/pizza/", "/deu_DE/sushi/",
      ]
    )
    #expect(try shown(#"[{"/":"/$(xdigit)$(xdigit)/$(alpha)"}]"#, pages) == ["/7f/a"])
    #expect(try shown(#"[{"/":"/$(upper)/$(lower)"}]"#, pages) == ["/G/a"])
    #expect(try shown(#"[{"/":"/$(digit)$(alnum)/*"}]"#, pages) == ["/7f/a"])
    // These are not variables, but plain characters.
    #expect(try shown(#"[{"/":"/$(a"},{"/":"/$a)"}]"#, ["/$(a", "/$a)", "/"]) == ["/$(a", "/$a)"])
  }

  @Test func workHasAnEnd() throws {
    let long = "/" + String(repeating: "a", count: 2000)
    #expect(try shown(#"[{"/":"/\#(String(repeating: "*a", count: 500))*"}]"#, [long]) == [long])
    let page = try #require(WebPage("https://a.org" + long))
    let variables = ["v": LinkPattern.choice((0..<50).map { String(repeating: "*", count: $0 % 7) + "b" })]
    let many = JSON.string("/" + String(repeating: "$(v)", count: 50))
    for isExcluded in [true, false] {
      // The second component would allow everything.
      let components: JSON = [["/": many, "exclude": .bool(isExcluded)], [:]]
      let apps = ApplicationNames([Self.app])
      let detail = LinkDetail(apps: apps, ["components": components], defaults: [:], variables: variables)
      var matching = LinkMatching(page, steps: 100_000)
      #expect(throws: OutOfSteps.self) { try detail.allows(&matching) }
      #expect(matching.steps == 0)
      var enough = LinkMatching(page, steps: 10_000_000)
      #expect(try detail.allows(&enough) == true)
    }
  }
}
