// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import BatonDaemon

struct AddressParserTests {
  @Test(
    arguments: [
      ("nas", "nas", 1), ("nas:2", "nas", 2), ("[2001:db8::1]", "2001:db8::1", 1), ("[::1]:3", "::1", 3),
      ("2001:db8::1", "2001:db8::1", 1),
    ] as [(String, String, UInt16)]
  )
  func addressesAreRead(text: String, host: String, port: UInt16) throws {
    let address = try AddressParser.split(text, defaultPort: 1)
    #expect(address.host == host && address.port == port)
  }

  /// The resolver reads bytes, and would look up the colon or the zero byte with the rest.
  @Test(arguments: [
    "a:\u{301}1", "a\u{D4E}:x", "[::1]\u{301}:1", "[\u{200D}::1]", "a:1\u{FE0F}", "[::1]:\u{301}1", "a \u{301}", "a\0",
    "a\r\n", "a::\u{301}",
  ])
  func noMarkHidesASign(text: String) {
    #expect(throws: Reason.addressInvalid) { try AddressParser.split(text, defaultPort: 1) }
  }
}
