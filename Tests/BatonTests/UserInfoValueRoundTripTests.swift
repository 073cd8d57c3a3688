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

  @Test func aTextThatIsNoURLStaysAText() {
    #expect(UserInfoValue.url("").foundation as? String == "")
  }
}
