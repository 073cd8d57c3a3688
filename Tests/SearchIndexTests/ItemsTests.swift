// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import Search
import TestSupport
import Testing

/// The items of an app, page by page.
@Suite(.isolated) struct ItemsTests {
  private let fixture = Fixture()

  private func put(_ numbers: Range<Int>, _ title: String = "Whale", in index: String? = nil) throws {
    try fixture.index().put(numbers.map { item("\($0)", title) }, application: "app", index: index, now: 1)
  }

  /// Reads all pages, and calls `change` after the first.
  private func pages(in index: String? = nil, limit: Int, change: () throws -> Void = {}) throws -> [[String]] {
    let reader = fixture.reader()
    var page = try reader.items(of: "app", index: index, limit: limit, now: 2)
    var pages = [page.entries.map(\.identifier)]
    try change()
    while let cursor = page.next {
      page = try reader.items(of: "app", index: index, after: cursor, limit: limit, now: 2)
      pages.append(page.entries.map(\.identifier))
    }
    return pages
  }

  @Test func allItemsOfAnAppAreReadInTurn() throws {
    try put(10..<14)
    try put(10..<13, in: "books")
    try fixture.index().put([item("20")], application: "other", now: 1)
    try fixture.index().put([activity("30")], application: "app", now: 1)
    #expect(try pages(limit: 3) == [["10", "11", "12"], ["13", "10", "11"], ["12"]])
    #expect(try pages(in: "books", limit: 3) == [["10", "11", "12"], []])
    #expect(try pages(in: "", limit: 10) == [["10", "11", "12", "13"]])
    #expect(try pages(in: "none", limit: 10) == [[]])
  }

  @Test func whatIsThereAllTheTimeIsReadOnce() throws {
    try put(10..<20)
    try put(20..<30, in: "books")
    let pages = try pages(limit: 7) {
      // Before and behind the cursor: some are new, some replaced, some deleted.
      try put(0..<2)
      try put(10..<20, "Another whale")
      try put(50..<51)
      _ = try fixture.index().delete(.items(["12", "18"]), application: "app")
    }
    let expected = Array(10..<18) + [19] + [50] + Array(20..<30)
    #expect(pages.joined().map { $0 } == expected.map(String.init))
  }

  @Test func aPageOfLargeItemsIsShort() throws {
    let text = (0..<1500).map { "word\($0)" }.joined(separator: " ")
    try fixture.index().put((10..<40).map { item("\($0)") { $0.textContent = text } }, application: "app", now: 1)
    let pages = try pages(limit: 30)
    #expect(pages.joined().count == 30)
    #expect(pages.dropLast().allSatisfy { (2...20).contains($0.count) })
    #expect(pages.allSatisfy { $0.count * text.utf8.count < 2 * IndexReader.itemPageLength })
  }

  @Test func noTransactionStaysOpenBetweenPages() throws {
    try put(10..<20)
    let reader = fixture.reader()
    let page = try reader.items(of: "app", index: nil, limit: 5, now: 2)
    // A reader that held a transaction would keep this text in the files, and erasing would wait for it.
    _ = try fixture.index().delete(.allItems, application: "app")
    #expect(!fixture.bytes().contains("Whale"))
    #expect(try reader.items(of: "app", index: nil, after: page.next, limit: 5, now: 2).entries == [])
  }
}
