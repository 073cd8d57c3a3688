// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Testing

struct UserInfoFormTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.integer(1), "1"), (.integer(.min), "-9223372036854775808"),
      (.unsigned(.max), "18446744073709551615"), (.double(1.5), "1.5"), (.double(1), #"{"$double":"1.0"}"#),
      (.double(-0.0), #"{"$double":"-0.0"}"#), (.double(.infinity), #"{"$double":"inf"}"#),
      (.double(-.infinity), #"{"$double":"-inf"}"#), (.double(.nan), #"{"$double":"nan:7ff8000000000000"}"#),
      (.double(1e300), #"{"$double":"1e+300"}"#), (.string("a"), #""a""#), (.data([]), #"{"$data":""}"#),
      (.data([0, 255]), #"{"$data":"AP8="}"#), (.date(0.25), #"{"$date":0.25}"#), (.date(0), #"{"$date":"0.0"}"#),
      (.date(774_230_400.5), #"{"$date":774230400.5}"#), (.url("https://a.b/c"), #"{"$url":"https://a.b/c"}"#),
      (.uuid(Array(0...15)), #"{"$uuid":"00010203-0405-0607-0809-0a0b0c0d0e0f"}"#),
      (.array([.integer(2), .integer(1)]), "[2,1]"),
      (.set([.integer(2), .integer(1), .null]), #"{"$set":[1,2,null]}"#),
      (.dictionary([:]), "{}"), (.dictionary([.string("$a"): .null, .string("b"): .null]), #"{"$$a":null,"b":null}"#),
      (.dictionary([.integer(2): .null, .string("a"): .null]), #"{"$dictionary":[["a",null],[2,null]]}"#),
    ] as [(UserInfoValue, String)]
  )
  func eachTypeHasItsForm(value: UserInfoValue, text: String) throws {
    #expect(value.json.text == text)
    #expect(try UserInfoValue(json: try JSON(parsing: text.utf8, depth: 8)).isIdentical(to: value))
  }

  @Test(
    arguments: [
      (#"{"$double":"1.5"}"#, .double(1.5)), (#"{"$double":"1"}"#, .double(1)), (#"{"$double":"-1E5"}"#, .double(-1e5)),
      (#"{"$double":"nan"}"#, .double(.nan)), (#"{"$double":"nan:7FF8000000000001"}"#, .double(.nan(1))),
      (#"{"$date":1}"#, .date(1)), (#"{"$date":"-1.0"}"#, .date(-1)), (#"{"$date":-1.5}"#, .date(-1.5)),
      (#"{"$uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"}"#, .uuid(Array(0...15))), (#"{"$set":[]}"#, .set([])),
      (#"{"$dictionary":[]}"#, .dictionary([:])),
      (#"{"$dictionary":[["a",1]]}"#, .dictionary([.string("a"): .integer(1)])),
      ("1e0", .double(1)), ("18446744073709551616", .double(18_446_744_073_709_551_616)),
    ] as [(String, UserInfoValue)]
  )
  func otherFormsOfTheSameValueAreTaken(text: String, value: UserInfoValue) throws {
    #expect(try UserInfoValue(json: try JSON(parsing: text.utf8, depth: 8)).isIdentical(to: value))
  }

  @Test(arguments: [
    #"{"$":1}"#, #"{"$unknown":1}"#, #"{"$Data":""}"#, #"{"$data":"","a":1}"#, #"{"a":1,"$b":2}"#,
    #"{"$data":"","$url":""}"#, #"{"$\u0301":1}"#,
    #"{"$data":1}"#, #"{"$data":null}"#, #"{"$data":"A"}"#, #"{"$data":"AA"}"#, #"{"$data":"AA="}"#,
    #"{"$data":"A==="}"#,
    #"{"$data":"===="}"#, #"{"$data":"AA==AA=="}"#, #"{"$data":"AP8-"}"#, #"{"$data":"AP8 "}"#, #"{"$data":"é00"}"#,
    #"{"$double":1.5}"#, #"{"$double":""}"#, #"{"$double":"x"}"#, #"{"$double":" 1"}"#, #"{"$double":"1 "}"#,
    #"{"$double":"0x1p3"}"#, #"{"$double":"1e999"}"#, #"{"$double":"nan:"}"#, #"{"$double":"nan:0"}"#,
    #"{"$double":"nan:3ff0000000000000"}"#, #"{"$double":"nan:7ff0000000000000"}"#, #"{"$double":"nan:x"}"#,
    #"{"$double":"infinity"}"#, #"{"$double":"nan(0x1)"}"#, #"{"$double":"１"}"#, #"{"$double":null}"#,
    #"{"$date":""}"#, #"{"$date":"x"}"#, #"{"$date":true}"#, #"{"$date":[1]}"#, #"{"$date":"2026-01-01"}"#,
    #"{"$date":null}"#, #"{"$url":1}"#, #"{"$url":null}"#,
    #"{"$uuid":""}"#, #"{"$uuid":1}"#, #"{"$uuid":"00010203-0405-0607-0809-0a0b0c0d0e0"}"#,
    #"{"$uuid":"000102030405060708090a0b0c0d0e0f"}"#, #"{"$uuid":"00010203-0405-0607-0809-0a0b0c0d0e0g"}"#,
    #"{"$uuid":"+0010203-0405-0607-0809-0a0b0c0d0e0f"}"#, #"{"$uuid":"{0010203-0405-0607-0809-0a0b0c0d0e0f"}"#,
    #"{"$set":1}"#, #"{"$set":{}}"#, #"{"$set":null}"#, #"{"$set":[1,1]}"#,
    #"{"$set":[{"$double":"1"},{"$double":"1.0"}]}"#,
    #"{"$set":[{"$x":1}]}"#, #"{"$dictionary":{}}"#, #"{"$dictionary":[1]}"#, #"{"$dictionary":[[]]}"#,
    #"{"$dictionary":[[1]]}"#, #"{"$dictionary":[[1,2,3]]}"#, #"{"$dictionary":[[1,2],[1,3]]}"#,
    #"{"$dictionary":[[{"$x":1},2]]}"#, #"{"$dictionary":[[1,{"$x":1}]]}"#, #"[{"$x":1}]"#, #"{"a":{"$x":1}}"#,
  ])
  func brokenFormsAreRefused(text: String) throws {
    let json = try JSON(parsing: text.utf8, depth: 8)
    #expect(throws: Reason.userInfoInvalid) { try UserInfoValue(json: json) }
    #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: ["key": json]) }
  }

  @Test(arguments: ["1", "[]", #""a""#, "null", #"{"$data":""}"#, #"{"$set":[]}"#])
  func onlyADictionaryIsAUserInfo(text: String) throws {
    let json = try JSON(parsing: text.utf8, depth: 8)
    #expect(throws: Reason.userInfoInvalid) { try UserInfo(json: json) }
  }

  @Test func theCanonicalFormIsKept() throws {
    let info = try UserInfo(json: ["$dictionary": [["b", ["$double": "1.50"]], ["a", ["$set": [2, 1]]]]])
    #expect(info.json.text == #"{"a":{"$set":[1,2]},"b":1.5}"#)
    #expect(try info.values() == [.string("a"): .set([.integer(1), .integer(2)]), .string("b"): .double(1.5)])
    #expect(UserInfo.empty.json.text == "{}")
    #expect(try UserInfo(json: [:]) == .empty)
  }

  @Test func aUUIDThatIsNoneIsRefused() {
    #expect(throws: Reason.userInfoInvalid) { try UserInfo([.string("id"): .uuid([1, 2])]) }
  }
}

extension Double {
  fileprivate static func nan(_ payload: UInt64) -> Double { Double(bitPattern: 0x7FF8_0000_0000_0000 | payload) }
}
