// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import SeededGenerator
import Testing

struct PercentEncodingTests {
  @Test func everyByteComesBack() {
    for byte in UInt8.min...UInt8.max {
      let text = PercentEncoding.encode([byte])
      #expect(text.utf8.count == 1 || text == String(format: "%%%02X", byte))
      #expect(text.utf8.allSatisfy(PercentEncoding.isAllowed))
      #expect(PercentEncoding.decode(text) == [byte])
    }
  }

  @Test func foundationAgrees() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let text = String(
        String.UnicodeScalarView(
          (0..<8).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 1...0x300, using: &generator))
          }
        )
      )
      #expect(PercentEncoding.encode(Array(text.utf8)).removingPercentEncoding == text)
      let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      #expect(PercentEncoding.decode(encoded) == Array(text.utf8))
    }
  }

  @Test func smallDigitsAreTaken() { #expect(PercentEncoding.decode("%c3%A9%2f") == [0xC3, 0xA9, 0x2F]) }

  @Test(arguments: ["%", "a%", "%2", "%2%20", "%zz", "%0x", "%-1", "% 1", "%%41"])
  func otherTextIsRefused(text: String) { #expect(PercentEncoding.decode(text) == nil) }
}
