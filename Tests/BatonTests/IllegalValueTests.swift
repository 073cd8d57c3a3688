// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import JSONCoding
import Testing

@testable import Baton

struct IllegalValueTests {
  private enum Suit: String { case hearts }

  private func error(_ userInfo: [AnyHashable: Any]) -> String? {
    do throws(IllegalValue) {
      _ = try UserInfoValue.dictionary(userInfo)
      return nil
    } catch {
      return error.description
    }
  }

  private func expectNamed(_ path: String, _ type: String, _ userInfo: [AnyHashable: Any]) {
    let text = error(userInfo) ?? "legal"
    #expect(text.hasPrefix("userInfo[\(path)] is a \(type); "), "\(text)")
  }

  @Test func aValueOfAnotherTypeIsNamedWithItsKeys() {
    expectNamed("a", "NSObject", ["a": NSObject(), "b": 1])
    expectNamed("a", "Suit", ["a": Suit.hearts])
    expectNamed("a", "NSAttributedString", ["a": NSAttributedString(string: "x")])
    expectNamed("a][b][1", "NSObject", ["a": ["b": [1, NSObject()] as [Any]]])
    expectNamed("7][0", "Suit", [7: [Suit.hearts]])
  }

  @Test func aKeyOfAnotherTypeIsNamed() {
    expectNamed("hearts", "Suit", [AnyHashable(Suit.hearts): 1])
  }

  @Test func aMemberOfASetOfAnotherTypeIsNamed() {
    expectNamed("a][hearts", "Suit", ["a": Set([Suit.hearts])])
  }

  @Test func whatFoundationCannotDescribeIsCalledByItsType() {
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    expectNamed("Date", "Date, and a key or a member of a set", [AnyHashable(date): [NSObject()]])
    expectNamed("a][0][0", "NSObject", ["a": [[NSObject(), date] as [Any]]])
    expectNamed("a][Set<Date>", "Set<Date>, and a key or a member of a set", ["a": [[Date()]: 1] as [Set<Date>: Int]])
  }

  @Test func aCollectionThatFoundationCannotCompareIsNamed() {
    expectNamed("a][Array<Int>", "Array<Int>, and a key or a member of a set", ["a": Set([[1]])])
    expectNamed(
      "Dictionary<Int, Int>",
      "Dictionary<Int, Int>, and a key or a member of a set",
      [AnyHashable([1: 2]): 3]
    )
  }

  @Test func whatIsLegalIsNotNamed() {
    #expect(error(["a": [1, "b"] as [Any], 7: NSNull()]) == nil)
  }

  @Test func anActivityIsNotPublishedWithOne() throws {
    let activity = NSUserActivity(activityType: "org.example.a")
    activity.userInfo = ["fine": 1, "bad": NSObject()]
    let failure = #expect(throws: HandoffFailure.self) { try activity.core.published() }
    #expect(failure?.reason == .userInfoInvalid)
    #expect(failure?.message.contains("userInfo[bad] is a NSObject") == true)
    #expect(activity.userInfo?["bad"] is NSObject)
    activity.userInfo = ["fine": 1]
    #expect(try activity.core.published().userInfo == ["fine": 1])
  }
}
