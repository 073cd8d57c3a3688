// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search
import Testing
import Varlink

@Suite struct SearchInterfaceTests {
  private var text: String { InterfaceDescription.search.text }

  /// Checks that a value has exactly the members that the text gives its type, and survives its JSON.
  private func check<S: Structure>(_ value: S, _ head: String) throws {
    let list = try #require(text.components(after: head), "\(head) is not in the text")
    let lines = list.split(separator: "\n").filter { line in !line.contains("#") }
    let members = lines.joined(separator: ",").split(separator: ",").compactMap { member -> String? in
      guard member.contains(":") else { return nil }
      return String(member.prefix { $0 != ":" }.filter { $0 != " " })
    }
    #expect(Set(value.members.keys) == Set(members))
    #expect(S(json: value.json) == value)
  }

  @Test func entriesHaveTheMembersOfTheText() throws {
    var entry = SavedEntry(identifier: "chapter-1")
    entry.domainIdentifier = "books.moby"
    entry.relatedIdentifier = "book-7"
    entry.isWeaklyRelated = true
    entry.title = "Loomings"
    entry.contentDescription = "Call me Ishmael"
    entry.keywords = ["whale"]
    entry.textContent = "Some years ago"
    entry.attributes = ["rating": .integer(5)]
    entry.thumbnailData = "AAAA"
    entry.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
    entry.expirationDate = 1_800_000_000
    entry.isEligibleForSearch = true
    entry.isEligibleForPublicIndexing = true
    entry.isEligibleForPrediction = true
    try check(entry, "type Entry (")
  }

  @Test func oneEntryThatCannotBeSavedKeepsNoOtherOut() throws {
    let long = String(repeating: "x", count: 3000)
    let id = "7d1c7d9a-7a0d-4d0c-9b0a-6d8c1c1f4f6e" as JSON
    let entries: [JSON] = [
      ["identifier": "a", "title": "Whales"], ["identifier": ""], ["identifier": .string(long)],
      ["identifier": "b", "title": 5], 7, ["identifier": "c", "activity": ["id": id, "activityType": "no type"]],
      ["identifier": "d", "title": "one\ntwo", "activity": ["id": id, "activityType": "a.b", "title": "one\ntwo"]],
      ["identifier": "e", "activity": ["id": id, "activityType": "a.b", "webpageURL": .string("https://a/\(long)")]],
      ["identifier": "f", "activity": ["id": id, "activityType": "a.b", "webpageURL": "javascript:alert(1)"]],
    ]
    let parameters = try IndexEntries.Parameters(members: ["application": "a", "entries": .array(entries)])
    #expect(parameters.entries.map(\.identifier) == ["a", "d", "e"])
    #expect(parameters.entries[1].title == "one two" && parameters.entries[1].activity?.title == "one two")
    #expect(parameters.entries[2].activity?.webpageURL == nil)
    let omissions = parameters.given.omissions
    #expect(omissions.map(\.entry) == [1, 2, 3, 4, 5, 7, 8])
    #expect(omissions.filter(\.isSaved).map(\.member) == ["activity.webpageURL"])
    #expect(omissions[0].member == "identifier" && omissions[2].member == "title" && omissions[4].member == "activity")
    #expect(parameters.given.count == entries.count)
    #expect(parameters.given.limit == EntryLimit(parameter: "identifier", limit: Limits.entryIdentifierLength))
    #expect(IndexEntries.Parameters(json: ["application": "a", "entries": 7]) == nil)
  }
}

extension String {
  /// What is between `head` and the end of its list.
  fileprivate func components(after head: String) -> Substring? {
    guard let start = ranges(of: head).first?.upperBound else { return nil }
    // A list of several lines may contain other lists.
    let end = self[start...].hasPrefix("\n") ? "\n)" : ")"
    return self[start...].ranges(of: end).first.map { self[start..<$0.lowerBound] }
  }
}
