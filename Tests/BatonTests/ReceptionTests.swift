// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import JSONCoding
import Testing

@testable import Baton

struct ReceptionTests {
  private let first = OfferName(id: UUID(), device: "A")
  private let second = OfferName(id: UUID(), device: nil)

  /// Describes the effects in words.
  private func told(_ effects: [Reception.Effect]) -> [String] {
    effects.map { effect in
      switch effect {
      case .tellWillContinue(let type): "will \(type)"
      case .fetch(let offer):
        offer == first ? "fetch first" : offer == second ? "fetch second" : "fetch again"
      case .abandonFetch: "abandon"
      case .deliver(let activity): "deliver \(activity.activityType)"
      case .tellFailure(let type, let error): "failed \(type) \(error.errorCode)"
      }
    }
  }

  @Test func oneContinuationIsToldFetchedAndDelivered() {
    var reception = Reception()
    #expect(told(reception.handle(.began(first, type: "a"))) == ["will a", "fetch first"])
    let activity = NSUserActivity(activityType: "a")
    #expect(told(reception.handle(.fetched(first, .success(activity)))) == ["deliver a"])
  }

  @Test func aFetchThatFailsIsToldWithTheTypeThatWasAskedFor() {
    var reception = Reception()
    _ = reception.handle(.began(first, type: "a"))
    #expect(told(reception.handle(.fetched(first, .failure(HandoffFailure(.peerTimedOut))))) == ["failed a 4610"])
  }

  @Test func aNewerContinuationEndsTheOlderFirst() {
    var reception = Reception()
    _ = reception.handle(.began(first, type: "a"))
    let effects = reception.handle(.began(second, type: "b"))
    #expect(told(effects) == ["abandon", "failed a 3072", "will b", "fetch second"])
    // The answer to the older one was already on its way.
    #expect(told(reception.handle(.fetched(first, .success(NSUserActivity(activityType: "a"))))) == [])
    let answer = Reception.Event.fetched(second, .success(NSUserActivity(activityType: "b")))
    #expect(told(reception.handle(answer)) == ["deliver b"])
    #expect(told(reception.handle(answer)) == [])
  }

  @Test func theSameContinuationAgainChangesNothing() {
    var reception = Reception()
    _ = reception.handle(.began(first, type: "a"))
    #expect(told(reception.handle(.began(first, type: "a"))) == [])
    #expect(
      told(reception.handle(.fetched(first, .failure(HandoffFailure(.alreadyContinued))))) == ["failed a 4608"]
    )
    #expect(told(reception.handle(.began(first, type: "a"))) == ["will a", "fetch first"])
  }

  @Test func anOfferThatComesBackBeforeTheAnswerIsContinuedAfterIt() {
    let again = OfferName(id: first.id, device: first.device, generation: 1)
    var reception = Reception()
    _ = reception.handle(.began(first, type: "a"))
    #expect(told(reception.handle(.began(again, type: "a"))) == [])
    #expect(told(reception.handle(.began(again, type: "a"))) == [])
    let answer = Reception.Event.fetched(first, .success(NSUserActivity(activityType: "a")))
    #expect(told(reception.handle(answer)) == ["deliver a", "will a", "fetch again"])
    let other = Reception.Event.fetched(again, .success(NSUserActivity(activityType: "a")))
    #expect(told(reception.handle(other)) == ["deliver a"])
    #expect(told(reception.handle(other)) == [])
  }

  @Test func aNewerContinuationEndsTheOneThatWaitsToo() {
    let again = OfferName(id: first.id, device: first.device, generation: 1)
    var reception = Reception()
    _ = reception.handle(.began(first, type: "a"))
    _ = reception.handle(.began(again, type: "a"))
    let effects = reception.handle(.began(second, type: "b"))
    #expect(told(effects) == ["abandon", "failed a 3072", "failed a 3072", "will b", "fetch second"])
    let answer = Reception.Event.fetched(second, .failure(HandoffFailure(.peerTimedOut)))
    #expect(told(reception.handle(answer)) == ["failed b 4610"])
  }

  @Test func anAppThatTakesPagesGetsThePageOfAnActivityOfAnotherType() throws {
    var reception = Reception()
    let began = Reception.Event.began(first, type: NSUserActivityTypeBrowsingWeb)
    #expect(told(reception.handle(began)) == ["will NSUserActivityTypeBrowsingWeb", "fetch first"])
    var activity = ControlActivity(activityType: "a.b")
    activity.title = "Notes"
    activity.userInfo = ["secret": 1]
    activity.webpageURL = "https://example.org/7"
    activity.referrerURL = "https://example.org/"
    activity.targetContentIdentifier = "7"
    activity.supportsContinuationStreams = true
    let arrived = NSUserActivity(ActivityCore(activity, source: .random()))
    let effects = reception.handle(.fetched(first, .success(arrived)))
    guard effects.count == 1, case .deliver(let page) = effects[0] else { throw UnexpectedEffects() }
    #expect(page.activityType == NSUserActivityTypeBrowsingWeb && page.title == "Notes")
    #expect(page.webpageURL == URL(string: "https://example.org/7"))
    #expect(page.referrerURL == URL(string: "https://example.org/"))
    #expect(page.userInfo == nil && page.targetContentIdentifier == nil && !page.supportsContinuationStreams)
    // The origin has taken the page away.
    activity.webpageURL = nil
    _ = reception.handle(began)
    let bare = NSUserActivity(ActivityCore(activity, source: .random()))
    let failed = told(reception.handle(.fetched(first, .success(bare))))
    #expect(failed == ["failed NSUserActivityTypeBrowsingWeb 4608"])
  }

  private struct UnexpectedEffects: Error {}

  @Test func anAnswerThatNobodyWaitsForIsSilence() {
    var reception = Reception()
    #expect(told(reception.handle(.fetched(first, .failure(HandoffFailure(.peerUnreachable))))) == [])
  }
}
