// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import JSONCoding
import Testing

@testable import BatonCommand

@Suite struct OptionValueTests {
  @Test(
    arguments: [
      ("90", 90), ("90s", 90), ("1.5m", 90), ("2h", 7200), ("1d", 86400), ("0", nil), ("-1", nil), ("", nil),
      ("m", nil), ("1w", nil), ("nan", nil), ("1e3", nil), ("100000d", nil), (" 1", nil),
    ] as [(String, Double?)]
  )
  func timeSpans(text: String, seconds: Double?) {
    #expect(TimeSpan.seconds(text) == seconds)
  }

  @Test func userInfoIsOneObject() throws {
    #expect(try InfoOptions.userInfo(json: nil, strings: []) == nil)
    #expect(
      try InfoOptions.userInfo(json: nil, strings: ["a=b=c", "$x=", "é=1"]) == ["a": "b=c", "$$x": "", "é": "1"]
    )
    #expect(try InfoOptions.userInfo(json: #"{"page": 7}"#, strings: ["a=b"]) == ["page": 7, "a": "b"])
  }

  @Test(arguments: [
    ("[1]", []), ("{", []), (nil, ["a"]), (nil, ["=b"]), (nil, ["a=1", "a=2"]), (#"{"a": 1}"#, ["a=2"]),
    (#"{"a":[[[[[[[[1]]]]]]]]}"#, []),
  ])
  func brokenUserInfoIsAUsageError(json: String?, strings: [String]) {
    #expect(throws: UsageError.self) { try InfoOptions.userInfo(json: json, strings: strings) }
  }
}
