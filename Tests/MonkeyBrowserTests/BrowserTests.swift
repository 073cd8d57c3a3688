// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MonkeyBrowser

@Suite struct BrowserTests {
  private func url(_ name: String) throws -> URL { try #require(Address.checked("https://wiki.example.org/\(name)")) }

  @Test func aPageIsTheSameOnEveryMachine() throws {
    let page = Page(try url("Bananas"))
    #expect(page == Page(try url("Bananas")))
    #expect(page.lines != Page(try url("Ladders")).lines)
    #expect(page.title == "Bananas")
    // This must be the same with every version of Swift and in every process. If it changes, machines with different
    // versions show different pages.
    #expect(Digest.of(page.lines.map(\.text).joined().utf8) == 0x382b_e941_8756_87e1)
    #expect(page.lines.allSatisfy { $0.text.count <= Page.width })
    #expect(!page.links.isEmpty)
  }

  @Test(arguments: [(-5, 0), (Int.max, nil), (Int.min, 0), (12, 12)] as [(Int, Int?)])
  func scrollingEndsAtThePagesEnds(line: Int, expected: Int?) throws {
    var browser = Browser(visits: 0)
    try browser.perform(.scrollTo(line))
    #expect(browser.tab.scroll == expected ?? browser.tab.page.lines.count - 1)
    try browser.perform(.scrollBy(-3))
    #expect(browser.tab.scroll == max((expected ?? browser.tab.page.lines.count - 1) - 3, 0))
  }

  @Test func goingBackShowsThePageBefore() throws {
    var browser = Browser(visits: 0)
    try browser.perform(.open(url("A")))
    try browser.perform(.followLink)
    #expect(browser.tab.history.count == 3)
    try browser.perform(.goBack)
    #expect(browser.tab.title == "A")
    try browser.perform(.goBack)
    #expect(throws: Refusal.self) { try browser.perform(.goBack) }
    #expect(browser.tab.url == TabKind.news.home)
  }

  @Test func tabsKeepTheirPlaces() throws {
    var browser = Browser(visits: 3)
    try browser.perform(.scrollTo(9))
    try browser.perform(.select(.notes))
    #expect(browser.tab.scroll == 0)
    try browser.perform(.select(.news))
    #expect(browser.tab.scroll == 9)
  }

  @Test func aContinuedTabGetsItsHistoryLater() throws {
    var origin = Browser(visits: 20)
    try origin.perform(.select(.wiki))
    try origin.perform(.open(url("There")))
    try origin.perform(.scrollTo(17))
    var receiver = Browser(visits: 5)
    receiver.restore(origin.tab.state)
    #expect(receiver.selected == .wiki)
    #expect(receiver.tab.state == origin.tab.state)
    #expect(receiver.tab.history.count == 1)
    try receiver.perform(.open(url("Meanwhile")))
    receiver[.wiki].prepend(origin.tab.history)
    #expect(Array(receiver.tab.history.dropLast()) == origin.tab.history)
    #expect(receiver.tab.title == "Meanwhile")
  }

  @Test func theStateOfAnotherMachineIsChecked() throws {
    let state = TabState(kind: .video, url: try url("A"), scroll: 4)
    #expect(TabState(state.userInfo) == state)
    #expect(TabState(nil) == nil)
    let changes: [(String, Any)] = [
      ("version", 2), ("tab", "bananas"), ("url", "https://example.org"), ("url", URL(fileURLWithPath: "/etc/passwd")),
    ]
    for (key, value) in changes {
      #expect(TabState(state.userInfo.merging([key: value]) { $1 }) == nil, "\(key): \(value)")
    }
  }

  @Test func theFilesBesideTheProgramNameItsTypes() throws {
    let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Examples/MonkeyBrowser").standardized
    let types = TabKind.allCases.map(\.activityType)
    let data = try Data(contentsOf: sources.appendingPathComponent("Info.plist"))
    let list = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    #expect(list?["NSUserActivityTypes"] as? [String] == types)
    let entry = sources.appendingPathComponent("org.example.MonkeyBrowser.desktop")
    let line = "X-Baton-ActivityTypes=\(types.map { "\($0);" }.joined())"
    #expect(try String(contentsOf: entry, encoding: .utf8).split(separator: "\n").contains { $0 == line })
  }

  @Test(
    arguments: ["http://a.org/", "https:///a", "file:///a", "", "https://a.org/" + String(repeating: "a", count: 1024)]
  )
  func whatIsNoAddress(text: String) {
    #expect(Address.checked(text) == nil)
  }
}
