// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct CatalogTests {
  private func text(_ keys: String...) -> [UInt8] {
    Array((["[Desktop Entry]", "Type=Application", "Name=App", "Exec=app %u"] + keys).joined(separator: "\n").utf8)
  }

  private func builder(_ files: [(String, [UInt8])], wanted: String? = nil) -> CatalogBuilder {
    var builder = CatalogBuilder(wanted: wanted)
    for (path, bytes) in files {
      guard let id = CatalogBuilder.id(of: path), builder.claim(id, path: "/\(path)") else { continue }
      builder.add(id: id, path: "/\(path)", bytes)
    }
    return builder
  }

  /// Returns the catalog of files that must be valid.
  private func catalog(_ files: [(String, [UInt8])]) -> ApplicationCatalog {
    let builder = self.builder(files)
    #expect(builder.complaints == [])
    #expect(builder.catalog.leftOut == [])
    return builder.catalog
  }

  @Test(arguments: [
    ("a.desktop", "a"), ("kde/a.desktop", "kde-a"), ("kde/\u{301}a.desktop", "kde-\u{301}a"), (".desktop", nil),
    ("a\u{D4E}/b\u{600}.desktop", "a\u{D4E}-b\u{600}"), ("kde\u{D4E}/.desktop", nil), ("a.desktop\u{301}", nil),
  ])
  func filesHaveIDs(path: String, id: String?) {
    #expect(CatalogBuilder.id(of: path).map { Array($0.utf8) } == id.map { Array($0.utf8) })
  }

  @Test func playersAreFoundByWhatTheyPlay() {
    let files = [
      ("a.desktop", text("MimeType=audio/mpeg;video/mp4;text/plain")), ("b.desktop", text("MimeType=video/mp4x;")),
      ("c.desktop", text("Comment=video/mp4")),
      ("d.desktop", text("MimeType=text/plain;", "X-Baton-ActivityTypes=a.b")),
    ]
    var builder = CatalogBuilder(mediaType: "video/mp4")
    for (path, bytes) in files { builder.add(id: String(path.prefix(1)), path: path, bytes) }
    #expect(builder.catalog.applications.map(\.id) == ["a"])
    #expect(builder.catalog.applications.first?.mediaTypes == ["audio/mpeg", "video/mp4"])
    #expect(catalog(files).hasPlayer)
    #expect(catalog(files).applications.map(\.id) == ["d"])
    #expect(!catalog(Array(files.dropFirst())).hasPlayer)
  }

  @Test func idsAreMadeOfPaths() {
    #expect(CatalogBuilder.id(of: "org.example.A.desktop") == "org.example.A")
    #expect(CatalogBuilder.id(of: "kde/sub/a.desktop") == "kde-sub-a")
    #expect(CatalogBuilder.id(of: "a.txt") == nil)
    #expect(CatalogBuilder.id(of: ".desktop") == nil)
    #expect(CatalogBuilder.id(of: "kde/.desktop") == nil)
  }

  @Test(arguments: [
    "a\nb.desktop", "a\n/b.desktop", "a b.desktop", "a\u{1B}[2J.desktop", "ä.desktop", "kde/\u{301}.desktop",
    "a\u{202E}.desktop",
    "a\\b.desktop", "a%b.desktop", "a=b.desktop",
    String(repeating: "a/", count: 128) + ".a.desktop",
  ])
  func otherIDsAreRefused(path: String) {
    let complaint = "Its name and folders may contain only letters, digits, '.', '-' and '_'"
    let builder = builder([(path, text("X-Baton-ActivityTypes=a.b"))])
    #expect(builder.catalog.applications == [])
    #expect(builder.complaints == ["/\(path): \(complaint)"])
    // Other files are not mentioned.
    #expect(self.builder([(path, text())]).complaints == [])
  }

  @Test(arguments: ["org.example.Reader", "kde4-kate", "7zip", "a_b", "Org.example.A-1"])
  func idsOfAppsAreTaken(id: String) {
    #expect(catalog([("\(id).desktop", text("X-Baton-ActivityTypes=a.b"))]).applications.map(\.id) == [id])
  }

  @Test(arguments: [#"A\nUser=root"#, #"\s\t"#, "\u{200B}", "A\u{1B}[2J", "\u{301}"]) func namesAreOneVisibleLine(
    name: String
  ) {
    let lines = ["[Desktop Entry]", "Type=Application", "Name=\(name)", "Exec=app", "X-Baton-ActivityTypes=a.b"]
    let builder = builder([("a.desktop", Array(lines.joined(separator: "\n").utf8))])
    #expect(builder.catalog.applications == [] && builder.complaints.count == 1)
  }

  @Test func theFirstOfAnIDCountsEvenWhereItHidesTheApp() throws {
    let types = "X-Baton-ActivityTypes=a.b"
    #expect(
      catalog([("a.desktop", text(types)), ("a.desktop", text("X-Baton-ActivityTypes=c.d"))]).activityTypes == [
        "a.b"
      ]
    )
    #expect(catalog([("a.desktop", text(types, "Hidden=true")), ("a.desktop", text(types))]).applications == [])
    #expect(catalog([("a.desktop", text()), ("a.desktop", text(types))]).applications == [])
    #expect(catalog([("a.desktop", text(types, "NoDisplay=true", "OnlyShowIn=KDE;"))]).activityTypes == ["a.b"])
  }

  @Test func anAppOfATeamComesFirstAndTakesNothingOfOthers() throws {
    let catalog = self.catalog([
      ("all.desktop", text("X-Baton-ActivityTypes=a.b;c.d;")),
      ("one.desktop", text("X-Baton-ActivityTypes=a.b", "X-Baton-TeamID=K7Q2M9XW4T")),
    ])
    #expect(catalog.applications(for: "a.b", team: "K7Q2M9XW4T").map(\.id) == ["one", "all"])
    #expect(catalog.applications(for: "a.b", team: "0000000000").map(\.id) == ["all"])
    #expect(catalog.applications(for: "c.d", team: "K7Q2M9XW4T").map(\.id) == ["all"])
    #expect(catalog.applications(for: "e.f", team: "K7Q2M9XW4T").isEmpty)
    #expect(catalog.activityTypes == ["a.b", "c.d"])
  }

  @Test func anAppOfAPersonComesBeforeOurs() {
    let catalog = catalog([
      ("io.baton.Terminal.desktop", text("X-Baton-ActivityTypes=a.b")),
      ("z.desktop", text("X-Baton-ActivityTypes=a.b")),
    ])
    #expect(catalog.applications(for: "a.b", team: nil).map(\.id) == ["z", "io.baton.Terminal"])
  }

  @Test func forActivitiesOfThisMachineThereAreNoAppsOfATeam() {
    let catalog = self.catalog([
      ("all.desktop", text("X-Baton-ActivityTypes=a.b")),
      ("one.desktop", text("X-Baton-ActivityTypes=a.b", "X-Baton-TeamID=K7Q2M9XW4T")),
    ])
    #expect(catalog.applications(for: "a.b", team: nil).map(\.id) == ["all"])
  }

  @Test func anAppIsFoundByItsIDOrItsProgramWithoutAnyOfOurKeys() {
    func entry(_ exec: String) -> [UInt8] {
      Array("[Desktop Entry]\nType=Application\nName=A\nExec=\(exec)\n".utf8)
    }
    let files = [
      ("a.desktop", entry("/opt/reader/bin/Reader --new %u")), ("b.desktop", entry("\"/opt/other one/Reader\"")),
      ("Reader.desktop", entry("start-reader")), ("c.desktop", entry("ReaderX /usr/bin/Reader")),
      ("d.desktop", entry("Reader") + Array("Hidden=true".utf8)), ("e.desktop", text("X-Baton-ActivityTypes=a.b")),
      ("Reader-not.desktop", Array("nonsense Reader".utf8)),
    ]
    func found(_ name: String) -> [String] {
      builder(files, wanted: name).catalog.applications(called: name).map(\.id)
    }
    #expect(found("Reader") == ["Reader", "a", "b"])
    #expect(found("start-reader") == ["Reader"])
    #expect(found("ReaderX") == ["c"])
    #expect(found("app") == ["e"])
    #expect(found("a") == ["a"])
    for name in ["", "/", "bin/Reader", "reader", "Reader.desktop", "../Reader", "--new"] {
      #expect(found(name) == [], "\(name)")
    }
    // The catalog of all apps has only those with our keys.
    #expect(builder(files).catalog.applications.map(\.id) == ["e"])
  }

  @Test(arguments: [
    "X-Baton-ActivityTypes=a b", "X-Baton-Domains=http://a.org", "X-Baton-Domains=a.org/b", "X-Baton-Domains=1.2.3.4",
    "X-Baton-ActivityTypes=a.b\nX-Baton-TeamID=../../../x", "X-Baton-ActivityTypes=a.b\nX-Baton-TeamID=K7Q2M9XW4",
    "X-Baton-ActivityTypes=a.b\nX-Baton-TeamID=k7q2m9xw4t",
    "X-Baton-ActivityTypes=a.b\nTerminal=1",
  ])
  func badKeysAreNamed(keys: String) {
    let builder = self.builder([("a.desktop", text(keys))])
    #expect(builder.catalog.applications == [])
    #expect(builder.complaints.count == 1)
  }

  @Test func ofFilesThatHaveNothingToDoWithUsNothingIsSaid() throws {
    #expect(catalog([("a.desktop", Array("nonsense".utf8))]).applications == [])
    for (text, complaint) in [
      ("X-Baton-Domains=a.org", "Line 1: a key comes before the first group"),
      ("[Desktop Entry]\nType=Link\nX-Baton-Domains=a.org", "Type isn't Application"),
    ] {
      #expect(builder([("a.desktop", Array(text.utf8))]).complaints == ["/a.desktop: \(complaint)"])
    }
  }

  @Test func anAppIsStartedByItsCommandLineOrOverDBus() {
    func app(_ id: String, _ keys: String) -> DesktopEntry? {
      let text = "[Desktop Entry]\nType=Application\nName=A\nX-Baton-Domains=a.org\n\(keys)"
      return builder([("\(id).desktop", Array(text.utf8))]).catalog.applications.first
    }
    let both = app("org.example.My-App", "DBusActivatable=true\nExec=a")
    #expect(both?.busName == "org.example.My-App" && both?.commandLine() == ["a"] && both?.takesURL == false)
    let bus = app("org.example.A", "DBusActivatable=true")
    #expect(bus?.busName == "org.example.A" && bus?.commandLine() == nil && bus?.takesURL == true)
    #expect(app("org.example.A", "DBusActivatable=false\nExec=a %u")?.busName == nil)
    // A bus cannot have names like these.
    for id in ["a", "org.7zip", "org..a", ".a.b"] {
      #expect(app(id, "DBusActivatable=true\nExec=a")?.busName == nil)
      #expect(app(id, "DBusActivatable=true") == nil)
    }
    #expect(app("org.example.A", "") == nil)
  }

  @Test func pagesGoToAppsThatClaimTheirHost() throws {
    let catalog = self.catalog([
      ("below.desktop", text("X-Baton-Domains=*.Example.org")),
      ("exact.desktop", text("X-Baton-Domains=www.example.org;other.org")),
      (
        "deaf.desktop", Array("[Desktop Entry]\nType=Application\nName=A\nExec=a\nX-Baton-Domains=www.example.org".utf8)
      ),
      (
        "files.desktop",
        Array("[Desktop Entry]\nType=Application\nName=A\nExec=a %F\nX-Baton-Domains=www.example.org".utf8)
      ),
    ])
    func found(_ url: String) throws -> [String] {
      let page = try #require(WebPage(url))
      return catalog.applications(for: page, team: "T").map { "\($0.application.id) \($0.domain)" }
    }
    #expect(try found("https://www.example.org/a") == ["exact www.example.org", "below example.org"])
    #expect(try found("HTTP://WWW.Example.org.:80?x") == ["exact www.example.org", "below example.org"])
    #expect(try found("https://a.b.example.org") == ["below example.org"])
    #expect(try found("https://example.org") == [])
    #expect(try found("https://notexample.org/www.example.org") == [])
    #expect(catalog.domains == ["example.org", "other.org", "www.example.org"])
  }

  @Test(arguments: [
    "ftp://a.org", "https://", "https:///x", "https://a.org:x", "https://a.org/ b",
    "https://a.org/\"",
    "javascript:x", "https://[::1", "-https://a.org", "https://a.org\\b",
    "https://a$(x)/", "https://a;b/", "https://a&b", "https://%61.org", "https://a.org\u{202E}", "https://[::1;]/",
    "https://[]/",
    "https://a\u{3002}org", "https://[::1]x/", "https://[::1%25eth0]/", "https://a..org/", "https://.",
    "https://a.org../",
    // A combining mark makes another character of the previous one for people, but the byte stays the same for a
    // browser.
    "https://a.org@\u{301}b.org", "https://a.org:\u{301}80", "https://[\u{301}::1]/", "https://\u{301}a.org",
  ])
  func otherURLsAreNoPages(url: String) { #expect(WebPage(url) == nil) }

  @Test(arguments: [
    ("https://a.org/b?c=%20&d#e", "https://a.org/b?c=%20&d#e", "a.org"),
    ("HTTPS://A.org/ü{}|", "https://A.org/%C3%BC%7B%7D%7C", "a.org"),
    ("http://u:p@evil@a.org:80/", "http://u:p@evil@a.org:80/", "a.org"),
    ("https://a.org@b.org", "https://a.org@b.org", "b.org"),
    ("https://u\u{202E}[:@b.org", "https://u%E2%80%AE%5B:@b.org", "b.org"),
    ("http://[::1]:8080/x", "http://[::1]:8080/x", "[::1"),
    ("http://[FE80::1:192.0.2.1]", "http://[FE80::1:192.0.2.1]", "[fe80::1:192.0.2.1"),
    ("http://nas_2.local./", "http://nas_2.local./", "nas_2.local"),
    ("https://हिन्दी.example", "https://हिन्दी.example", "हिन्दी.example"),
    ("https://ä.org", "https://ä.org", "ä.org"),
    ("https://a.org/\u{301}@b.org/", "https://a.org/%CC%81@b.org/", "a.org"),
    ("https://a.org?\u{200D}@b.org", "https://a.org?%E2%80%8D@b.org", "a.org"),
    ("https://a.org#\u{20E3}@b.org", "https://a.org#%E2%83%A3@b.org", "a.org"),
  ])
  func pagesHaveAHost(text: String, url: String, host: String) {
    let page = WebPage(text)
    #expect(page?.url == url)
    #expect(page?.host == host)
  }
}
