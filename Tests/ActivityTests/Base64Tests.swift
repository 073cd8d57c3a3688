// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import SeededGenerator
import Testing

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
  ])
  func theVectorsOfTheRFCHold(plain: String, encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(plain.utf8))
  }

  @Test func foundationAgrees() {
    var generator = SeededGenerator(seed: 1)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "A", "AA", "AAA", "A===", "====", "=AAA", "A=AA", "AA=A", "AAA=AAAA", "AA-_", "AAA\n", " AAA", "ÄAA",
  ])
  func otherTextIsRefused(text: String) { #expect(Base64.decode(text) == nil) }
}
