// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

struct UserInfoLimitTests {
  /// Returns a userInfo of exactly this many bytes: `{"k":"xx…"}`.
  private func pairs(length: Int) -> [UserInfoValue: UserInfoValue] {
    [.string("k"): .string(String(repeating: "x", count: length - #"{"k":""}"#.utf8.count))]
  }

  @Test func theLastByteFits() throws {
    let info = try UserInfo(pairs(length: Limits.userInfoLength))
    #expect(info.json.bytes.count == 3072)
    #expect(try UserInfo(json: info.json) == info)
  }

  @Test func oneByteMoreIsTooLarge() {
    let pairs = pairs(length: Limits.userInfoLength + 1)
    #expect(throws: Reason.userInfoTooLarge) { try UserInfo(pairs) }
    let json = UserInfoValue.dictionary(pairs).json
    #expect(json.bytes.count == 3073)
    #expect(throws: Reason.userInfoTooLarge) { try UserInfo(json: json) }
  }

  @Test func theEncodedLengthCountsAndNotTheGivenOne() throws {
    // "é" takes two bytes, even if it was escaped.
    let text = #"{"k":""# + String(repeating: #"\u00e9"#, count: 1532) + #""}"#
    let json = try JSON(parsing: text.utf8, depth: 2)
    #expect(try UserInfo(json: json).json.bytes.count == 3072)
    // The tag of a whole Double makes it longer.
    let numbers = JSON.object(["k": .array(Array(repeating: .double(1), count: 200))])
    #expect(numbers.bytes.count < 3072)
    #expect(throws: Reason.userInfoTooLarge) { try UserInfo(json: numbers) }
  }

  /// Returns nested arrays.
  private func nested(_ depth: Int) -> JSON { (0..<depth).reduce(0) { json, _ in .array([json]) } }

  @Test func theDeepestIsTaken() throws {
    let json = JSON.object(["k": nested(Limits.userInfoDepth - 1)])
    #expect(try UserInfo(json: json).json == json)
  }

  @Test func oneLevelMoreIsRefused() {
    #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: ["k": nested(Limits.userInfoDepth)]) }
  }

  @Test func tagsCountAsLevels() throws {
    let double = (0..<6).reduce(UserInfoValue.double(1)) { value, _ in .array([value]) }
    #expect(try UserInfo([.string("k"): double]).json.text == #"{"k":[[[[[[{"$double":"1.0"}]]]]]]}"#)
    #expect(throws: Reason.userInfoInvalid) { try UserInfo([.string("k"): .array([double])]) }
    // This is written with seven levels, but a whole Double takes one more.
    let json = JSON.object(["k": (0..<7).reduce(1.0) { json, _ in .array([json]) }])
    #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: json) }
    let sets = (0..<3).reduce(UserInfoValue.integer(1)) { value, _ in .set([value]) }
    #expect(throws: Never.self) { try UserInfo([.string("k"): sets]) }
    #expect(throws: Reason.userInfoInvalid) { try UserInfo([.string("k"): .set([sets])]) }
  }

  /// A text that is far too long is not examined further, because 64 kB of nested sets took a third of a second.
  @Test func whatIsFarTooLongIsRefusedAsTooLong() {
    let broken = JSON.array(Array(repeating: ["$unknown": 1], count: 2000))
    #expect(throws: Reason.userInfoTooLarge) { try UserInfo(json: ["k": broken]) }
    #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: ["k": ["$unknown": 1]]) }
  }

  @Test func aKeyHasNotMoreMarksThanText() throws {
    let fits = "e" + String(repeating: "\u{301}", count: 30)
    let tooMany = fits + "\u{316}"
    #expect(try UserInfo([.string(fits): .string(tooMany)]).values() == [.string(fits): .string(tooMany)])
    for key in [tooMany, "$" + tooMany] {
      #expect(throws: Reason.userInfoInvalid) { try UserInfo([.string(key): .null]) }
      #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: ["k": ["$dictionary": [[.string(key), 1]]]]) }
      #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: ["k": [key: 1]]) }
    }
  }
}
