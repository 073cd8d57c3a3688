// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

struct Base32Tests {
  @Test(
    arguments: [
      ([], ""), ([0], "00"), ([0xFF], "ZW"), ([0x00, 0x44, 0x32, 0x14, 0xC7], "01234567"),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "ZZZZZZZZ"), ([0x08, 0x42, 0x10, 0x84, 0x21], "11111111"),
    ] as [([UInt8], String)]
  )
  func digitsAreFiveBitsEach(bytes: [UInt8], text: String) {
    #expect(Base32.encode(bytes) == text)
    #expect(Base32.decode(text) == bytes)
  }

  @Test func everyLengthComesBack() {
    var generator = SeededGenerator(seed: 2)
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = Base32.encode(bytes)
      #expect(text.utf8.count == (count * 8 + 4) / 5)
      #expect(Base32.decode(text) == bytes)
      #expect(Base32.decode(text.lowercased()) == bytes)
    }
  }

  @Test func whatPeopleMistypeIsTheDigitItLooksLike() {
    #expect(Base32.decode("oO0iIlL1") == Base32.decode("00011111"))
  }

  @Test(arguments: ["U", "u", "-", " ", "0-0", "é", "０", "\u{0}", "@", "[", "`", "{"])
  func nothingElseIsADigit(text: String) {
    #expect(Base32.decode(text) == nil)
    #expect(Base32.decode("00" + text) == nil)
  }
}
