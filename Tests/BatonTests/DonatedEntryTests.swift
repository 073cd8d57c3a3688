// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import Search
import Testing

@testable import Baton

/// What the search index keeps of an activity.
struct DonatedEntryTests {
  private func activity(_ change: (NSUserActivity) -> Void = { _ in }) -> NSUserActivity {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.title = "Moby-Dick"
    activity.isEligibleForSearch = true
    change(activity)
    return activity
  }

  @Test func nothingIsKeptUnlessTheAppSaysSo() {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.title = "Moby-Dick"
    #expect(activity.core.donation() == nil)
    for keyPath in [
      \NSUserActivity.isEligibleForSearch, \.isEligibleForPublicIndexing, \.isEligibleForPrediction,
    ] as [ReferenceWritableKeyPath<NSUserActivity, Bool>] {
      activity[keyPath: keyPath] = true
      #expect(activity.core.donation() != nil)
      activity[keyPath: keyPath] = false
    }
    #expect(activity.core.donation() == nil)
  }

  @Test func titleKeywordsAndDatesAreKept() throws {
    let entry = try #require(
      activity {
        $0.keywords = ["whale", "Ahab"]
        $0.expirationDate = Date(timeIntervalSince1970: 2_000_000_000)
        $0.persistentIdentifier = "moby"
        $0.targetContentIdentifier = "window"
      }.core.donation()
    )
    #expect(entry.title == "Moby-Dick" && entry.keywords == ["Ahab", "whale"])
    #expect(entry.expirationDate == 2_000_000_000)
    #expect(entry.activity?.targetContentIdentifier == "window")
    #expect(entry.identifier == "moby")
    #expect(entry.isSearchable && !entry.isEligibleForPublicIndexing && !entry.isEligibleForPrediction)
  }

  @Test func requiredKeysNameWhatIsKept() throws {
    let activity = activity { $0.userInfo = ["page": 7, "secret": "x"] }
    func kept() -> JSON? { activity.core.donation()?.activity?.userInfo.json }
    #expect(kept()?.object?.count == 2)
    activity.requiredUserInfoKeys = ["page"]
    #expect(kept() == ["page": 7])
    activity.requiredUserInfoKeys = []
    #expect(kept() == [:])
    activity.requiredUserInfoKeys = nil
    activity.webpageURL = URL(string: "https://example.org/moby")
    #expect(kept() == [:])
    activity.requiredUserInfoKeys = ["page"]
    #expect(kept() == ["page": 7])
  }

  @Test func publicIndexingNeedsAPageOrRequiredKeys() throws {
    let activity = activity { $0.isEligibleForPublicIndexing = true }
    func isPublic() -> Bool { activity.core.donation()?.isEligibleForPublicIndexing ?? false }
    #expect(!isPublic())
    activity.requiredUserInfoKeys = []
    #expect(isPublic())
    activity.requiredUserInfoKeys = nil
    activity.webpageURL = URL(string: "https://example.org/moby")
    #expect(isPublic())
  }

  @Test func anActivityWithoutAnIdentifierIsKnownByItsPageOrItsContents() throws {
    func identifier(_ change: (NSUserActivity) -> Void) -> String? { activity(change).core.donation()?.identifier }
    #expect(identifier { _ in } == identifier { _ in })
    #expect(identifier { _ in } != identifier { $0.title = "Typee" })
    #expect(identifier { _ in } != identifier { $0.userInfo = ["page": 7] })
    #expect(identifier { $0.webpageURL = URL(string: "https://example.org/a") } == "page:https://example.org/a")
    #expect(identifier { $0.persistentIdentifier = "page:https://example.org/a" } == "page:https://example.org/a")
  }

  @Test func whatIsTooLongIsCutAndIllegalValuesAreLeftOut() throws {
    let entry = try #require(
      activity {
        $0.title = String(repeating: "ä", count: 400)
        $0.keywords = Set((0..<100).map { "word \($0)" })
        $0.userInfo = ["illegal": NSObject()]
      }.core.donation()
    )
    // As many as have room, and an ellipsis.
    #expect(entry.title?.utf8.count == 511)
    #expect(entry.keywords.count == Limits.keywords)
    #expect(entry.activity?.userInfo == .empty)
  }
}
