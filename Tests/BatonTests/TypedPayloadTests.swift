// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Baton

struct TypedPayloadTests {
  private struct Page: Codable, Equatable {
    var number: Int
    var ratio: Double
    var isRead: Bool
    var title: String?
    var tags: [String]
    var seen: Date
    var cover: Data
  }

  private let page = Page(
    number: 1,
    ratio: 1,
    isRead: true,
    title: nil,
    tags: ["a"],
    seen: Date(timeIntervalSinceReferenceDate: 5),
    cover: Data([1])
  )

  @Test func aPayloadComesBackAndItsKeysAreThoseOfUserInfo() throws {
    let activity = NSUserActivity(activityType: "org.example.a")
    activity.userInfo = ["kept": "yes"]
    try activity.setTypedPayload(page)
    #expect(activity.userInfo?["number"] as? Int == 1)
    #expect(activity.userInfo?["isRead"] as? Bool == true)
    #expect(activity.userInfo?["kept"] as? String == "yes")
    #expect(try activity.typedPayload(Page.self) == page)
  }

  @Test func aPayloadComesBackAfterAJourney() throws {
    let activity = NSUserActivity(activityType: "org.example.a")
    try activity.setTypedPayload(page)
    let arrived = try arrived(activity)
    #expect(try arrived.typedPayload(Page.self) == page)
  }

  @Test func whatIsNoDictionaryIsNoPayload() {
    let activity = NSUserActivity(activityType: "org.example.a")
    #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload([1, 2]) }
    #expect(activity.userInfo == nil)
  }

  @Test func aUserInfoWithoutItHasNone() {
    let activity = NSUserActivity(activityType: "org.example.a")
    #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Page.self) }
    activity.userInfo = ["number": "no number"]
    #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Page.self) }
  }

  @Test func entriesThatAreNoPropertyListDoNotHideAPayload() throws {
    let activity = NSUserActivity(activityType: "org.example.a")
    try activity.setTypedPayload(page)
    activity.addUserInfoEntries(from: ["url": URL(fileURLWithPath: "/"), "null": NSNull(), 7: "seven"])
    #expect(try activity.typedPayload(Page.self) == page)
  }
}
