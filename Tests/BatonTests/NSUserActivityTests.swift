// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import VarlinkClient

@testable import Baton

struct NSUserActivityTests {
  private let activity = NSUserActivity(activityType: "org.example.a")

  @Test func propertiesBeginAsOnApplesPlatforms() {
    #expect(activity.activityType == "org.example.a")
    #expect(activity.title == nil && activity.userInfo == nil && activity.requiredUserInfoKeys == nil)
    #expect(activity.webpageURL == nil && activity.referrerURL == nil && activity.expirationDate == nil)
    #expect(activity.keywords.isEmpty && activity.targetContentIdentifier == nil)
    #expect(!activity.needsSave && !activity.supportsContinuationStreams && activity.isEligibleForHandoff)
    #expect(!activity.isEligibleForSearch && !activity.isEligibleForPublicIndexing)
    #expect(!activity.isEligibleForPrediction && activity.persistentIdentifier == nil && activity.delegate == nil)
    #expect(activity.suggestedInvocationPhrase == nil)
    #expect(NSUserActivityTypeBrowsingWeb == "NSUserActivityTypeBrowsingWeb")
  }

  @Test func aPhraseForSiriIsKept() {
    activity.suggestedInvocationPhrase = "Read on"
    #expect(activity.suggestedInvocationPhrase == "Read on")
  }

  @Test func addedEntriesReplaceThoseWithTheSameKeys() {
    activity.addUserInfoEntries(from: ["a": 1])
    activity.addUserInfoEntries(from: ["a": 2, "b": 3])
    #expect(activity.userInfo as? [String: Int] == ["a": 2, "b": 3])
  }

  @Test(arguments: ["file:///x", "ftp://example.org/", "javascript:alert(1)", "no-scheme", "about:blank"])
  func aPageOfAnotherSchemeIsNone(text: String) {
    activity.webpageURL = URL(string: "https://example.org/")
    activity.webpageURL = URL(string: text)
    activity.referrerURL = URL(string: text)
    #expect(activity.webpageURL == nil && activity.referrerURL == nil)
  }

  @Test(arguments: ["https://example.org/a?b=%20#c", "HTTP://example.org/"])
  func aPageIsKeptAsItIs(text: String) {
    activity.webpageURL = URL(string: text)
    #expect(activity.webpageURL?.absoluteString == text)
  }

  @Test(arguments: [nil, [], ["b", "missing"]] as [Set<String>?])
  func requiredKeysDoNotLimitWhatIsSent(keys: Set<String>?) throws {
    activity.userInfo = ["a": 1, "b": 2, 7: 3]
    activity.requiredUserInfoKeys = keys
    #expect(try arrived(activity).userInfo as? [AnyHashable: Int] == ["a": 1, "b": 2, 7: 3])
  }

  @Test func aUserInfoIsSentAsItWasWhenItWasSet() throws {
    let list = NSMutableArray(array: ["a"])
    activity.userInfo = ["list": list]
    list.add("b")
    #expect(try arrived(activity).userInfo?["list"] as? [String] == ["a"])
  }

  @Test func theDelegateIsNotRetained() {
    var delegate: UserActivityDelegateObject? = UserActivityDelegateObject()
    activity.delegate = delegate
    #expect(activity.delegate === delegate)
    delegate = nil
    #expect(activity.delegate == nil)
  }

  @Test func anActivityThatIsReleasedIsInvalid() {
    var activity: NSUserActivity? = NSUserActivity(activityType: "org.example.a")
    weak let reference = activity
    activity?.title = "x"
    let core = activity?.core
    activity = nil
    #expect(reference == nil)
    #expect(core?.isInvalid == true)
  }

  /// An object that uses its activity when it is released.
  private final class Parting: NSObject {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test func whatAUserInfoHeldMayUseTheActivityAsItGoes() {
    activity.userInfo = ["parting": Parting { [weak activity] in activity?.title = "gone" }]
    activity.userInfo = nil
    #expect(activity.title == "gone")
    activity.userInfo = ["other": NSUserActivity(activityType: "org.example.other")]
    activity.userInfo = [:]
    #expect(activity.userInfo?.isEmpty == true)
  }

  @Test func anInvalidActivityDoesNotBecomeCurrent() {
    activity.invalidate()
    activity.becomeCurrent()
    #expect(activity.core.isInvalid)
    activity.resignCurrent()
    activity.invalidate()
  }

  /// An app on a machine without an agent does not wait for one.
  @Test func deletingSavedActivitiesWaitsForNoIndexThatIsNotThere() async {
    let time = await ContinuousClock().measure {
      await NSUserActivity.deleteAllSavedUserActivities()
      await NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"])
      await withCheckedContinuation { continuation in
        NSUserActivity.deleteAllSavedUserActivities { continuation.resume() }
      }
      await withCheckedContinuation { continuation in
        NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["a"]) { continuation.resume() }
      }
    }
    #expect(time < IndexQueue.indexCallTime)
  }

  @Test func anOwnActivityHasNoStreams() async {
    activity.supportsContinuationStreams = true
    do {
      _ = try await activity.continuationStreams()
      Issue.record("It has streams")
    } catch {
      #expect((error as? CocoaError)?.code == .userActivityConnectionUnavailable)
    }
  }
}
