// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

struct RawArgumentsTests {
  private let given: [[UInt8]] = [
    Array("baton".utf8), Array("send".utf8), [0x61, 0xFF], [0x61, 0xFE], Array("e\u{301}".utf8),
    Array("a\u{FFFD}".utf8),
  ]

  @Test func whatIsNoTextStaysAsItIs() {
    let texts = ["a\u{FFFD}", "a\u{FFFD}", "e\u{301}", "a\u{FFFD}"]
    #expect(RawArguments.bytes(of: texts, in: given) == Array(given[2...]))
  }

  @Test func whatWasNotGivenStaysText() {
    #expect(
      RawArguments.bytes(of: ["b\u{FFFD}", "\u{E9}"], in: given) == [Array("b\u{FFFD}".utf8), Array("\u{E9}".utf8)]
    )
  }
}
