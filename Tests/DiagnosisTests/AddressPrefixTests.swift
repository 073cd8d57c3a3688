// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Testing

@Suite struct AddressPrefixTests {
  @Test(arguments: [
    ("10.1.2.3", [10, 1, 2, 3], 32), ("10.0.0.0/8", [10, 0, 0, 0], 8), ("10.0.0.0/255.0.0.0", [10, 0, 0, 0], 8),
    ("0.0.0.0/0", [0, 0, 0, 0], 0), ("0.0.0.0/0.0.0.0", [0, 0, 0, 0], 0),
    ("1.2.3.4/255.255.255.255", [1, 2, 3, 4], 32),
    ("::", Array(repeating: 0, count: 16), 128), ("::/0", Array(repeating: 0, count: 16), 0),
    ("::1", Array(repeating: 0, count: 15) + [1], 128), ("fe80::/10", [254, 128] + Array(repeating: 0, count: 14), 10),
    ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8], 128),
    ("1:2::7:8", [0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 8], 128),
  ])
  func addressesAreRead(text: String, bytes: [UInt8], length: Int) {
    #expect(AddressPrefix(text) == AddressPrefix(bytes, length: length))
    #expect(AddressPrefix(text) != nil)
  }

  @Test(arguments: [
    "", "/", "/8", "10", "10.0.0", "10.0.0.0.0", "10.0.0.256", "10.0.0.+1", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1",
    "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.0/255.0.255.0", "10.0.0.0/99999999999999999999", ":", ":::", "1:2",
    "1::2::3",
    "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7", "12345::", "g::", "fe80::/129",
    "::/255.0.0.0",
    "-1::", "00:11:22:33:44:55", "ipset:home",
  ])
  func whatIsNoAddressIsNone(text: String) { #expect(AddressPrefix(text) == nil) }

  @Test func prefixesContainAddresses() throws {
    let (outer, inner) = (try #require(AddressPrefix("10.1.0.0/15")), try #require(AddressPrefix("10.1.2.3/24")))
    #expect(outer.contains(inner) && !inner.contains(outer) && inner.overlaps(outer))
    #expect(try !outer.overlaps(#require(AddressPrefix("10.2.0.0/16"))))
    #expect(try #require(AddressPrefix("0.0.0.0/0")).contains(inner))
    #expect(try !#require(AddressPrefix("::/0")).contains(inner))
  }
}
