// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@Suite struct JSONTests {
  @Test(
    arguments: [
      ("1", JSON.integer(1)), ("-9223372036854775808", .integer(.min)), ("18446744073709551615", .unsigned(.max)),
      ("1.0", .double(1)), ("1e2", .double(100)), ("true", true), ("null", .null), (" [ 1 , \"a\" ] ", [1, "a"]),
      ("{\"a\":{\"b\":[]}}", .object(["a": .object(["b": .array([])])])), ("\"\\ud83d\\ude00\\u00e9\\n\"", "😀é\n"),
    ] as [(String, JSON)]
  )
  func textIsParsed(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text.utf8, depth: 4) == value)
    #expect(try JSON(parsing: value.bytes, depth: 4) == value)
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "01", "1.", "-", "+1", "1e", "nul", "\"\\x\"", "\"\u{1}\"",
    "1 2",
    "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "{1:2}", "[1 2]", "1e999", "'a'", "\"abc",
  ])
  func brokenTextIsRefused(text: String) {
    #expect(throws: JSONError.self) { try JSON(parsing: text.utf8, depth: 4) }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: JSONError(code: .invalidString, offset: 4)) {
      try JSON(parsing: [0x22, 0x61, 0xFF, 0x22], depth: 1)
    }
  }

  @Test func depthIsLimited() throws {
    #expect(try JSON(parsing: "[[1]]".utf8, depth: 2) == [[1]])
    #expect(throws: JSONError(code: .tooDeep, offset: 2)) { try JSON(parsing: "[[[1]]]".utf8, depth: 2) }
    let bomb = String(repeating: "[", count: 1_000_000)
    #expect(throws: JSONError.self) { try JSON(parsing: bomb.utf8, depth: 16) }
  }

  /// Hashing a key of 64 kB of combining marks would take seconds.
  @Test func aKeyIsText() throws {
    let marks = { (count: Int) in String(repeating: "\u{301}", count: count) }
    let text = { (key: String, value: String) in "[{\"\(key)\":\"\(value)\"}]".utf8 }
    #expect(try JSON(parsing: text(marks(30), marks(2047)), depth: 2) == [[marks(30): .string(marks(2047))]])
    #expect(try JSON(parsing: text(marks(30) + "e" + marks(30), ""), depth: 2) == [[marks(30) + "e" + marks(30): ""]])
    #expect(throws: JSONError(code: .tooManyMarks, offset: 66)) { try JSON(parsing: text(marks(31), ""), depth: 2) }
    #expect(throws: JSONError(code: .tooManyMarks, offset: 4104)) {
      try JSON(parsing: text("k", marks(2048)), depth: 2)
    }
  }

  @Test func equalValuesAreEqualBytes() {
    let value: JSON = ["b": 1, "a": ["x", nil, 1.5, false], "\"\u{7F}\u{1}": .unsigned(.max)]
    #expect(value.text == #"{"\"\u007f\u0001":18446744073709551615,"a":["x",null,1.5,false],"b":1}"#)
  }

  @Test func wholeDoublesCountAsIntegers() {
    #expect(JSON.double(3).int64 == 3)
    #expect(JSON.double(3.5).int64 == nil)
    #expect(JSON.double(1e300).int64 == nil)
    #expect(JSON.integer(-1).uint64 == nil)
    #expect(JSON(UInt64(7)) == .integer(7))
  }

  @Test(arguments: [("1", 0), ("\"a\"", 0), ("[]", 1), ("{}", 1), ("[1,[2]]", 2), ("{\"a\":{\"b\":[1]}}", 3)])
  func depthIsThatOfTheParser(text: String, depth: Int) throws {
    #expect(try JSON(parsing: text.utf8, depth: depth).isNested(within: depth))
    #expect(try !JSON(parsing: text.utf8, depth: depth).isNested(within: depth - 1) || depth == 0)
    if depth > 0 { #expect(throws: JSONError.self) { try JSON(parsing: text.utf8, depth: depth - 1) } }
  }
}
