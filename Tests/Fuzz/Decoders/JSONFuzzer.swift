// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// JSON texts. A value that was read is written in such a way that reading it again gives the same value.
enum JSONFuzzer: Fuzzer {
  static let seeds = [
    #"{"a":[1,-0,1.5e3,18446744073709551615,null,true,false],"é\ud83d\ude00":"\u0000\n\"\\"}"#, "[[[[[[[[]]]]]]]]",
    "-9223372036854775808", "1e308", #"{"$set":[1,{"$double":"nan"}]}"#, #""\#u{301}\#u{301}a""#,
  ].map { Array($0.utf8) }

  static let words = [
    "\\u", "\\ud83d\\ude00", "true", "false", "null", "1e-5", "{\"\":", "\u{301}", "18446744073709551616",
  ]

  static func run(_ input: [UInt8]) throws {
    let value: JSON
    do throws(JSONError) { value = try JSON(parsing: input, depth: 16) } catch {
      return hold(error.offset <= input.count, "An error at \(error.offset) of \(input.count)")
    }
    let bytes = value.bytes
    // An escaped byte takes six bytes, and numbers take a few more digits.
    hold(bytes.count <= 6 * input.count + 32, "\(bytes.count) bytes of \(input.count)")
    let again = try JSON(parsing: bytes, depth: 16)
    same(again, value)
    same(again.bytes, bytes)
    hold(!value.isShorter(than: 1), "A value is no text")
    hold(value.isShorter(than: bytes.count + 1), "It is longer than its text")
    numbers(of: value)
  }

  private static func numbers(of value: JSON) {
    if let number = value.uint64 { same(JSON(number).uint64, number) }
    if let number = value.int64 { same(JSON.integer(number).int64, number) }
  }
}
