// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search
import Testing

struct SavedEntryTests {
  private func entry(_ change: (inout SavedEntry) -> Void = { _ in }) -> SavedEntry {
    var entry = SavedEntry(identifier: "chapter-1")
    entry.title = "Loomings"
    change(&entry)
    return entry
  }

  @Test func survivesItsJSON() throws {
    var activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
    activity.webpageURL = "https://example.org/moby"
    activity.userInfo = try UserInfo(json: .object(["page": .integer(1)]))
    let entry = self.entry {
      $0.activity = activity
      $0.keywords = ["whale", "Ahab"]
      $0.attributes = .object(["rating": .integer(5)])
      $0.expirationDate = 1_800_000_000
      $0.isEligibleForSearch = true
    }
    #expect(SavedEntry(json: entry.json) == entry)
  }

  @Test func anItemIsAlwaysFoundAndAnActivityIfItMayBe() throws {
    #expect(entry().isSearchable)
    let activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
    var saved = entry { $0.activity = activity }
    #expect(!saved.isSearchable)
    saved.isEligibleForPrediction = true
    #expect(!saved.isSearchable)
    saved.isEligibleForPublicIndexing = true
    #expect(saved.isSearchable)
  }

  @Test func namesThePartThatIsTooLong() {
    func limit(_ change: (inout SavedEntry) -> Void) -> EntryLimit? {
      do throws(EntryLimit) { _ = try entry(change).validated() } catch { return error }
      return nil
    }
    #expect(limit { _ in } == nil)
    #expect(limit { $0.identifier = "" } == EntryLimit(parameter: "identifier", limit: Limits.entryIdentifierLength))
    #expect(limit { $0.title = String(repeating: "a", count: 512) } == nil)
    #expect(limit { $0.title = String(repeating: "ä", count: 257) }?.parameter == "title")
    #expect(limit { $0.keywords = Array(repeating: "a", count: 65) }?.limit == 64)
    #expect(limit { $0.expirationDate = .nan }?.parameter == "expirationDate")
  }
}
