// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search
import Testing

struct SharingMessageTests {
  private func entry() throws -> SavedEntry {
    var entry = SavedEntry(identifier: "chapter-1")
    entry.title = "Loomings"
    entry.contentDescription = String(repeating: "é", count: 400)
    entry.textContent = "secret"
    entry.thumbnailData = "AAAA"
    entry.attributes = .object(["rating": .integer(5)])
    entry.relatedIdentifier = "item"
    entry.isEligibleForPublicIndexing = true
    entry.isEligibleForPrediction = true
    entry.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
    entry.activity?.webpageURL = "https://example.org"
    return entry
  }

  @Test func onlyPartOfAnEntryIsShared() throws {
    let shared = try #require(try entry().shared)
    #expect(shared.textContent == nil && shared.thumbnailData == nil && shared.attributes == nil)
    #expect(shared.relatedIdentifier == nil && !shared.isEligibleForPrediction)
    #expect(shared.contentDescription?.utf8.count == 512)
    #expect(
      shared.activity
        == (try entry().activity).map {
          var copy = $0; copy.id = shared.activity?.id ?? copy.id; return copy
        }
    )
    var other = try entry()
    other.isEligibleForPublicIndexing = false
    #expect(other.shared == nil)
    other = try entry()
    other.activity?.webpageURL = nil
    #expect(other.shared == nil)
    other.activity?.userInfo = try UserInfo(json: .object(["page": .integer(1)]))
    #expect(other.shared != nil)
    other.activity = nil
    #expect(other.shared == nil)
    // An item of an index means nothing elsewhere.
    var item = try ActivityRecord(id: .random(), activityType: ActivityRecord.searchItemType)
    item.webpageURL = "https://example.org/"
    other.activity = item
    #expect(other.shared == nil)
    let line = SharedLine(number: 3, id: 1, change: .put(application: "app", other))
    #expect(SharedLine(json: line.json) == nil)
  }

  @Test(arguments: [
    ("https://ada:secret@example.org/a?b#c", "https://example.org/a?b#c"),
    ("https://token@example.org", "https://example.org"),
    ("https://a@b:c@example.org:8443/@x", "https://example.org:8443/@x"),
    ("https://example.org/?a=b@c", "https://example.org/?a=b@c"),
  ])
  func namesAndPasswordsOfAPageAreNotShared(_ url: String, _ shared: String) throws {
    var entry = try entry()
    entry.activity?.webpageURL = url
    entry.activity?.referrerURL = url
    #expect(entry.shared?.activity?.webpageURL == shared && entry.shared?.activity?.referrerURL == shared)
  }

  @Test func theDeepestUserInfoFits() throws {
    var entry = try entry()
    var value = UserInfoValue.array([])
    while true {
      guard let deeper = try? UserInfo(json: .object(["a": UserInfoValue.array([value]).json])) else { break }
      entry.activity?.userInfo = deeper
      value = .array([value])
    }
    let line = SharedLine(number: 3, id: 1, change: .put(application: "app", try #require(entry.shared)))
    let page = LogPage(generation: "g", after: 2, lines: [line], last: 3, isReset: false, isComplete: true)
    let json = try JSON(parsing: SharingMessage.page(page).json.bytes, depth: Limits.indexMessageDepth)
    #expect(SharingMessage(json: json) == .page(page))
  }

  @Test func survivesItsJSON() throws {
    let put = SharedLine(number: 3, id: 1, change: .put(application: "app", try #require(try entry().shared)))
    let messages: [SharingMessage] = [
      .pull(LogPosition(generation: "g", after: 7)), .pull(LogPosition(generation: "g", after: 7, resetLast: 9)),
      .changed(generation: "g", last: 8), .page(.nothing),
      .page(
        LogPage(
          generation: "g",
          after: 2,
          lines: [
            put, SharedLine(number: 5, id: 2, change: .removed),
            SharedLine(number: 6, id: 4, change: .forget(device: "d", generation: "h", upTo: 12)),
          ],
          last: 9,
          isReset: false,
          isComplete: false
        )
      ),
    ]
    for message in messages { #expect(SharingMessage(json: message.json) == message) }
  }

  @Test(arguments: [
    #"{}"#, #"{"kind":"pull","generation":"g"}"#, #"{"kind":"pull","generation":"g","after":-1}"#,
    #"{"kind":"pull","generation":"g","after":1e300}"#, #"{"kind":"changed","generation":"g","last":"1"}"#,
    // Numbers descend, or exceed the last one.
    #"{"kind":"page","generation":"g","after":0,"last":9,"isReset":false,"isComplete":true,"entries":[{"kind":"removed","id":1,"number":2},{"kind":"removed","id":1,"number":2}]}"#,
    #"{"kind":"page","generation":"g","after":0,"last":1,"isReset":false,"isComplete":true,"entries":[{"kind":"removed","id":1,"number":2}]}"#,
    // There is no progress.
    #"{"kind":"page","generation":"g","after":0,"last":1,"isReset":false,"isComplete":false,"entries":[]}"#,
    #"{"kind":"page","generation":"g","after":1,"last":1,"isReset":true,"isComplete":true,"entries":[]}"#,
  ])
  func refuses(_ text: String) throws { #expect(SharingMessage(json: try JSON(parsing: text.utf8, depth: 16)) == nil) }

  @Test func leavesOutLinesThatItDoesNotUnderstand() throws {
    let text = #"""
      {"kind":"page","generation":"g","after":0,"last":9,"isReset":false,"isComplete":false,"entries":[
      {"kind":"removed","id":1,"number":2},{"kind":"put","id":2,"number":3,"application":"a","entry":{"identifier":""}},
      {"kind":"new","number":4}]}
      """#
    guard case .page(let page) = SharingMessage(json: try JSON(parsing: text.utf8, depth: 16)) else {
      Issue.record("This is a page")
      return
    }
    #expect(page.lines == [SharedLine(number: 2, id: 1, change: .removed)])
    #expect(page.through == 4)
  }
}
