// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// Which of several apps a person wants.
struct ApplicationChoicesTests {
  private let apps = ["one", "two", "three"]

  private func choices(_ files: String...) -> ApplicationChoices {
    var choices = ApplicationChoices()
    for file in files { choices.add(Array(file.utf8)) }
    return choices
  }

  private func entry(_ id: String) throws -> DesktopEntry {
    let text = "[Desktop Entry]\nType=Application\nName=A\nExec=a %u\nX-Baton-ActivityTypes=a.b\nX-Baton-Domains=a.org"
    return try #require(try DesktopEntry(id: id, path: "/\(id)", DesktopFile(Array(text.utf8))))
  }

  private func order(_ choices: ApplicationChoices, _ type: String = "a.b") throws -> [String] {
    choices.ordered(try apps.map(entry), activityType: type).map(\.id)
  }

  @Test func withoutAChoiceTheOrderStays() throws {
    #expect(try order(choices()) == apps)
    #expect(try order(choices("[Default Applications]\nx-baton-activity/c.d=two.desktop\n")) == apps)
    #expect(try order(choices("x-baton-activity/a.b=two.desktop\n[Other]\nx-baton-activity/a.b=two.desktop")) == apps)
  }

  @Test func playersAreChosenByTheTypeOfMedia() throws {
    let chosen = choices("[Default Applications]\nvideo/mp4=three.desktop\ntext/plain=two.desktop")
    let entries = try apps.map(entry)
    #expect(chosen.ordered(entries, mediaType: "video/mp4").map(\.id) == ["three", "one", "two"])
    #expect(chosen.ordered(entries, mediaType: "audio/ogg").map(\.id) == apps)
    #expect(chosen.ordered(entries, mediaType: "text/plain").map(\.id) == apps)
  }

  @Test func theDefaultComesFirstThenWhatWasAdded() throws {
    let text = """
      [Added Associations]
      x-baton-activity/a.b=two.desktop;gone.desktop;
      [Default Applications]\r
      x-baton-activity/a.b=three.desktop;\r
      """
    #expect(try order(choices(text)) == ["three", "two", "one"])
  }

  @Test func whatWasRemovedIsNotTaken() throws {
    let removed = "[Removed Associations]\nx-baton-activity/a.b=one.desktop;two.desktop"
    #expect(try order(choices(removed)) == ["three"])
    // A file that counts more may want it all the same, and one that counts less does not change that.
    let wanted = "[Added Associations]\nx-baton-activity/a.b=two.desktop"
    #expect(try order(choices(wanted, removed)) == ["two", "three"])
    #expect(try order(choices(removed, wanted)) == ["three"])
  }

  @Test func theFirstFileThatHasADefaultCounts() throws {
    func wants(_ id: String) -> String { "[Default Applications]\nx-baton-activity/a.b=\(id).desktop" }
    let (two, three) = (wants("two"), wants("three"))
    #expect(try order(choices(two, three)) == ["two", "three", "one"])
    #expect(try order(choices(three, two)) == ["three", "two", "one"])
  }

  @Test func pagesGoByTheirScheme() throws {
    let claims = try apps.map { (application: try entry($0), domain: "a.org") }
    let choices = choices("[Default Applications]\nx-scheme-handler/https=browser.desktop;three.desktop")
    let (secure, plain) = (try #require(WebPage("HTTPS://a.org/")), try #require(WebPage("http://a.org/")))
    #expect(choices.ordered(claims, page: secure).map(\.application.id) == ["three", "one", "two"])
    #expect(choices.ordered(claims, page: plain).map(\.application.id) == apps)
  }

  @Test func nonsenseIsLeftOut() throws {
    let list = String(repeating: "x.desktop;", count: 20_000)
    let text =
      "\u{FEFF}[Default Applications]\n=\n;;\nx-baton-activity/a.b\n[Added Associations]\nx-baton-activity/a.b=\(list)two.desktop"
    #expect(try order(choices(text)) == apps)
  }
}
