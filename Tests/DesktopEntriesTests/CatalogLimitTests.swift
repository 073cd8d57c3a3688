// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct CatalogLimitTests {
  private func text(_ keys: String...) -> [UInt8] {
    Array((["[Desktop Entry]", "Type=Application", "Name=App", "Exec=app %u"] + keys).joined(separator: "\n").utf8)
  }

  private func builder(_ files: some Sequence<(id: String, bytes: [UInt8])>) -> CatalogBuilder {
    var builder = CatalogBuilder()
    for (id, bytes) in files where builder.claim(id, path: "/\(id).desktop") {
      builder.add(id: id, path: "/\(id).desktop", bytes)
    }
    return builder
  }

  /// Entries with as many types and domains as allowed do not crowd out one that has few.
  @Test func greedyEntriesTakeNothingFromOneThatHasFew() throws {
    let types = { (app: Int) in (0..<Limits.applicationTypes).map { "a\(app).t\($0)" }.joined(separator: ";") }
    let domains = { (app: Int) in
      (0..<DesktopEntry.domainsPerApplication).map { "a\(app)-\($0).org" }.joined(separator: ";")
    }
    let greedy = (0..<100).map { app in
      (id: "a\(app)", bytes: text("X-Baton-ActivityTypes=\(types(app))", "X-Baton-Domains=\(domains(app))"))
    }
    let honest = (id: "z", bytes: text("X-Baton-ActivityTypes=z.first;z.second", "X-Baton-Domains=z.org"))
    let catalog = builder(greedy + [honest]).catalog
    #expect(catalog.activityTypes.count == Limits.launcherTypes)
    #expect(catalog.domains.count == ApplicationCatalog.domains)
    #expect(Set(catalog.activityTypes).isSuperset(of: ["z.first", "z.second"]))
    #expect(catalog.domains.contains("z.org"))
    #expect(catalog.activityTypes == catalog.activityTypes.sorted() && catalog.domains == catalog.domains.sorted())
    // The catalog says what was left out, and names the file.
    #expect(
      catalog.leftOut == [
        LeftOut(path: "/a78.desktop", limit: "there are more than \(Limits.launcherTypes) activity types"),
        LeftOut(path: "/a27.desktop", limit: "there are more than \(ApplicationCatalog.domains) domains"),
      ]
    )
  }

  @Test func atTheLimitNothingIsLeftOut() {
    let files = (0..<Limits.launcherTypes).map { (id: "a\($0)", bytes: text("X-Baton-ActivityTypes=a.t\($0);a.t0")) }
    #expect(builder(files).catalog.leftOut == [])
    let one = (id: "z", bytes: text("X-Baton-ActivityTypes=a.t0;z.z"))
    #expect(builder(files + [one]).catalog.leftOut.map(\.path) == ["/z.desktop"])
  }

  @Test func thereIsAnEndToTheNumberOfEntries() {
    let files = (0..<CatalogBuilder.desktopEntries).map { (id: "a\($0)", bytes: Array("nothing".utf8)) }
    #expect(builder(files).catalog.leftOut == [])
    let types = text("X-Baton-ActivityTypes=z.z")
    let catalog = builder(files + [("a7", types), ("y", types), ("z", types)]).catalog
    #expect(catalog.applications == [])
    let limit = "there are more than \(CatalogBuilder.desktopEntries) desktop entries"
    #expect(catalog.leftOut == [LeftOut(path: "/y.desktop", limit: limit)])
    #expect(catalog.leftOut.first?.description.contains("/y.desktop") == true)
  }

  @Test func thereIsAnEndToTheirLength() {
    // Most of them also exceed the other limit, so they are not parsed.
    let mark = Array("X-Baton-".utf8)
    let long = mark + [UInt8](repeating: UInt8(ascii: "#"), count: Limits.desktopEntryLength - mark.count)
    var builder = self.builder(
      (1..<CatalogBuilder.desktopEntriesLength / long.count).map { (id: "a\($0)", bytes: long) }
    )
    let hasRoom = builder.claim("y", path: "/y.desktop")
    #expect(hasRoom)
    builder.add(id: "y", path: "/y.desktop", long)
    let hasMore = builder.claim("z", path: "/z.desktop")
    #expect(!hasMore)
    let limit = "the desktop entries are larger than \(CatalogBuilder.desktopEntriesLength) bytes in total"
    #expect(builder.catalog.leftOut.contains(LeftOut(path: "/z.desktop", limit: limit)))
  }

  @Test func thereIsAnEndToTheLengthOfThoseWithKeysOfBaton() {
    let text = text("X-Baton-ActivityTypes=a.b", "#")
    let long = text + repeatElement(UInt8(ascii: "x"), count: Limits.desktopEntryLength - text.count)
    let files = (0..<CatalogBuilder.applicationsLength / long.count).map { (id: "a\($0)", bytes: long) }
    #expect(builder(files).catalog.leftOut == [])
    let catalog = builder(files + [("other", Array("nothing".utf8)), ("z", text)]).catalog
    #expect(catalog.applications.count == files.count)
    #expect(catalog.leftOut.map(\.path) == ["/z.desktop"])
  }

  @Test func aFileThatIsTooLongIsNamed() {
    let text = text("X-Baton-ActivityTypes=z.z", "#")
    func complaints(_ count: Int) -> [String] {
      builder([("a", text + repeatElement(UInt8(ascii: "x"), count: count - text.count))]).complaints
    }
    #expect(complaints(Limits.desktopEntryLength) == [])
    #expect(
      complaints(Limits.desktopEntryLength + 1) == [
        "/a.desktop: It's longer than \(Limits.desktopEntryLength) bytes"
      ]
    )
  }

  @Test func badEntriesAreNamedUpToALimit() {
    let bad = text("X-Baton-ActivityTypes=a b")
    let files = (0..<CatalogBuilder.desktopEntryComplaints).map { (id: "a\($0)", bytes: bad) }
    #expect(builder(files).complaints.count == CatalogBuilder.desktopEntryComplaints)
    #expect(builder(files).catalog.leftOut == [])
    let more = builder(files + [("z", bad)])
    #expect(more.complaints.count == CatalogBuilder.desktopEntryComplaints)
    #expect(more.catalog.leftOut.map(\.path) == ["/z.desktop"])
  }
}
