// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// `userInfo` and whole activities: bounded, canonical, and the same values after any journey.
enum UserInfoFuzzer: Fuzzer {
  static let seeds = [
    #"{"page":7,"text":"é","list":[1,2.5,null,true],"$$price":"$"}"#,
    #"{"a":{"$data":"AAEC"},"b":{"$date":1.5},"c":{"$url":"https://example.org/"},"d":{"$double":"-inf"}}"#,
    #"{"u":{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"},"s":{"$set":[1,2,[3]]},"n":{"$double":"nan:7ff8000000000001"}}"#,
    #"{"$dictionary":[[1,2],[{"$date":"inf"},{"$set":[]}],["text",{"$dictionary":[]}]]}"#,
    #"{"id":"00112233-4455-4677-8899-aabbccddeeff","activityType":"org.example.reading","title":"Notes","#
      + #""userInfo":{"page":7},"webpageURL":"https://example.org/","expirationDate":2e9,"needsSave":true,"#
      + #""persistentIdentifier":"note 7"}"#,
  ].map { Array($0.utf8) }

  static let words = [
    "$data", "$date", "$url", "$uuid", "$set", "$dictionary", "$double", "$$", "nan", "nan:", "inf", "-inf",
    "activityType", "title", "userInfo", "webpageURL", "referrerURL", "targetContentIdentifier", "expirationDate",
    "persistentIdentifier", "needsSave", "supportsContinuationStreams", "hasWebPage", "https://", "\u{301}",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let json = try? JSON(parsing: input, depth: Limits.messageDepth) else { return }
    if let userInfo = try? UserInfo(json: json) { try check(userInfo) }
    if let record = ActivityRecord(json: json) { try check(record) }
    if let value = try? UserInfoValue(json: json) { try check(value) }
  }

  private static func check(_ userInfo: UserInfo) throws {
    hold(userInfo.json.bytes.count <= Limits.userInfoLength, "It is too long")
    same(try UserInfo(json: userInfo.json), userInfo, "The canonical form has another")
    same(try UserInfo(userInfo.values()), userInfo, "The values have another form")
    let read = try JSON(parsing: userInfo.json.bytes, depth: Limits.userInfoDepth)
    same(try UserInfo(json: read), userInfo, "What was written is read as something else")
  }

  private static func check(_ record: ActivityRecord) throws {
    _ = try record.validated()
    let bytes = record.json.bytes
    hold(bytes.count <= ActivityRecord.activityLength, "An activity of \(bytes.count) bytes")
    same(ActivityRecord(json: try JSON(parsing: bytes, depth: Limits.messageDepth)), record)
  }

  private static func check(_ value: UserInfoValue) throws { same(try UserInfoValue(json: value.json), value) }
}
