// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import JSONCoding
import SeededGenerator
import Testing

@testable import Baton

struct UserInfoValueRoundTripTests {
  @Test(arguments: 1...8) func everyValueSurvivesAnApp(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let value = UserInfoValue.random(depth: 3, using: &generator)
      let back = try UserInfoValue(value.foundation)
      guard back == value else {
        Issue.record("\(value.json.text) became \(back.json.text)")
        continue
      }
    }
  }

  @Test func appsCastAsOnApplesPlatforms() throws {
    let userInfo = UserInfoValue.foundation([
      .string("true"): .bool(true), .string("one"): .integer(1), .string("half"): .double(0.5),
      .string("max"): .unsigned(.max), .string("list"): .array([.integer(1), .integer(2)]),
      .string("set"): .set([.string("a")]), .string("pairs"): .dictionary([.string("x"): .integer(1)]),
      .integer(7): .string("seven"), .string("null"): .null, .string("url"): .url("https://example.org/"),
      .string("data"): .data([1]), .string("date"): .date(1), .string("text"): .string("t"),
    ])
    #expect(userInfo["true"] as? Bool == true)
    #expect(userInfo["one"] as? Int == 1)
    #expect(userInfo["one"] as? Double == 1)
    #expect(userInfo["one"] as? NSNumber == 1)
    #expect(userInfo["half"] as? Double == 0.5)
    #expect(userInfo["half"] as? CGFloat == 0.5)
    #expect(userInfo["one"] as? CGFloat == 1)
    #expect(userInfo["list"] as? [CGFloat] == [1, 2])
    #expect(userInfo["text"] as? CGFloat == nil)
    #expect((CGFloat(0.5) as Any) as? CGFloat == 0.5 && (CGFloat(0.5) as Any) as? Double == nil)
    #expect(userInfo["half"] as? Int == nil)
    #expect(userInfo["max"] as? UInt64 == .max)
    #expect(userInfo["max"] as? Int == nil)
    #expect(userInfo["list"] as? [Int] == [1, 2])
    #expect(userInfo["set"] as? Set<String> == ["a"])
    #expect(userInfo["pairs"] as? [String: Int] == ["x": 1])
    #expect(userInfo[7] as? String == "seven")
    #expect(userInfo["null"] is NSNull)
    #expect(userInfo["url"] as? URL == URL(string: "https://example.org/"))
    #expect(userInfo["data"] as? Data == Data([1]))
    #expect(userInfo["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1))
    #expect(userInfo["text"] as? String == "t")
    #expect(userInfo["text"] as? Int == nil)
  }

  /// Foundation traps if it describes such a date.
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e19, -.greatestFiniteMagnitude])
  func aDateThatFoundationCannotDescribeDoesNotArrive(seconds: Double) throws {
    let userInfo = UserInfoValue.foundation([
      .string("a"): .array([.date(seconds)]), .string("b"): .set([.date(seconds)]), .date(seconds): .date(seconds),
    ])
    #expect(!"\(userInfo)\(userInfo as NSDictionary)".isEmpty)
    #expect(try !UserInfoValue.dictionary(userInfo).isEmpty)
    let date = UserInfoValue.date(seconds).foundation
    #expect(
      seconds.isNaN ? date is NSNull : (date as? Date)?.timeIntervalSinceReferenceDate == (seconds < 0 ? -1e12 : 1e12)
    )
  }

  /// Foundation traps if it compares these, and a cast to `NSSet` or `NSArray` compares what has the same hash.
  @Test func collectionsThatFoundationCannotCompareDoNotArrive() throws {
    let value = UserInfoValue.set([
      .dictionary([.array([.integer(1)]): .integer(6)]), .dictionary([.array([.integer(2)]): .integer(6)]),
      .array([.integer(1)]), .set([.array([.integer(1)])]), .set([.integer(7)]), .integer(8),
    ])
    let userInfo = UserInfoValue.foundation([.string("a"): value, .array([.integer(1)]): .null, .set([.null]): .null])
    #expect(userInfo.count == 1)
    #expect(userInfo["a"] as? NSArray == nil)
    #expect(userInfo["a"] as? NSSet == NSSet(array: [8]))
    #expect((userInfo as NSDictionary).isEqual(userInfo as NSDictionary))
    #expect(try !UserInfoValue.dictionary(userInfo).isEmpty)
  }

  /// Foundation traps if it converts a dictionary with two keys that only it considers equal.
  @Test func keysThatAreEqualToFoundationArriveOnce() throws {
    let keys: [UserInfoValue] = [
      .integer(1), .double(1), .bool(true), .double(0), .double(-0.0), .bool(false), .integer(.max), .double(0x1p63),
      .unsigned(.max), .double(0x1p64), .null, .date(.nan), .double(.nan), .double(-.nan), .integer(.max - 1),
    ]
    let dictionary = UserInfoValue.dictionary(Dictionary(keys.map { ($0, .null) }) { first, _ in first })
    let array = UserInfoValue.array([dictionary, .set(Set(keys))]).foundation
    #expect(!"\(try #require(array as? NSArray))".isEmpty)
    let pairs = try #require(dictionary.foundation as? [AnyHashable: Any])
    #expect(pairs.count == 6)
    #expect([1, Int.max, Int.max - 1].allSatisfy { pairs[$0] != nil } && pairs[UInt64.max] != nil)
  }

  @Test func aTextThatIsNoURLStaysAText() {
    #expect(UserInfoValue.url("").foundation as? String == "")
  }
}
