// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct PublicNameTests {
  @Test(arguments: [
    "example.org", "a.b", "A.Example.ORG", "*.example.org", "xn--bcher-kva.de", "a.xn--p1ai", "1.2.3.co", "1-2.org",
    "localhost.org", "home.example.org", "a.com",
  ])
  func publicNamesAreDomains(text: String) {
    // A single letter is not a top-level domain.
    #expect((DomainPattern(text) != nil) == (text != "a.b"))
  }

  @Test(arguments: [
    "", "localhost", "org", "*.org", "0x7f000001", "127.0.0.1", "2130706433", "[::1]", "::1", "0177.0.0.1", "1.2.3.0x4",
    "127.1", "a.1", "a.0x7f", "a.b.1c", "nas.local", "*.local", "printer.lan", "a.localhost", "a.internal",
    "a.home.arpa", "home.arpa", "1.0.0.127.in-addr.arpa", "abc.onion", "a.test", "a.invalid", "a.example", "a.alt",
    "router.home", "a.corp", "a.localdomain", "a.intranet", "a.private", "example.org.", ".example.org", "a..org",
    "-a.org", "a-.org", "a_b.org", "bücher.de", "a b.org", "a.org/x", "a.org:80", "u@a.org", "*.*.org", "*",
    "a.org\n", "a\u{3002}org", "*.\u{301}example.org", "*\u{200D}.example.org", "a.\u{301}org", "\u{D4E}.example.org",
  ])
  func othersAreNone(text: String) { #expect(DomainPattern(text) == nil) }

  @Test func lengthsHaveLimits() {
    let label = String(repeating: "a", count: 63)
    #expect(DomainPattern("\(label).org") != nil)
    #expect(DomainPattern("a\(label).org") == nil)
    let long = [label, label, label, String(repeating: "a", count: 57)].joined(separator: ".") + ".org"
    #expect(long.utf8.count == 253 && DomainPattern(long) != nil)
    #expect(DomainPattern("a" + long) == nil)
  }

  @Test(
    arguments: [
      [93, 184, 215, 14], [8, 8, 8, 8], [100, 63, 0, 1], [100, 128, 0, 1], [172, 15, 0, 1], [172, 32, 0, 1],
      [192, 167, 0, 1], [223, 255, 255, 255], [11, 0, 0, 1], [198, 20, 0, 1],
    ] as [[UInt8]]
  )
  func publicAddressesOfIPv4(bytes: [UInt8]) { #expect(PublicAddress.contains(bytes)) }

  @Test(
    arguments: [
      [0, 0, 0, 0], [0, 1, 2, 3], [10, 0, 0, 1], [100, 64, 0, 1], [100, 127, 255, 255], [127, 0, 0, 1],
      [127, 255, 0, 9],
      [169, 254, 169, 254], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 178, 1], [192, 0, 0, 8], [192, 0, 2, 1],
      [198, 18, 0, 1], [198, 19, 255, 255], [198, 51, 100, 1], [203, 0, 113, 7], [224, 0, 0, 251], [240, 0, 0, 1],
      [255, 255, 255, 255], [], [1, 2, 3], [1, 2, 3, 4, 5],
    ] as [[UInt8]]
  )
  func othersOfIPv4(bytes: [UInt8]) { #expect(!PublicAddress.contains(bytes)) }

  private func address6(_ start: UInt8..., end: [UInt8] = [1]) -> [UInt8] {
    start + [UInt8](repeating: 0, count: 16 - start.count - end.count) + end
  }

  @Test func addressesOfIPv6() {
    #expect(PublicAddress.contains(address6(0x26, 0x06, 0x28, 0x00)))
    #expect(PublicAddress.contains(address6(0x2A, 0x00)))
    // This is the address of an IPv4 host in a network without IPv4.
    #expect(PublicAddress.contains(address6(0, 0x64, 0xFF, 0x9B, end: [93, 184, 215, 14])))
    for bytes in [
      address6(), address6(end: [0]), address6(0xFE, 0x80), address6(0xFC), address6(0xFD, 0x12), address6(0xFF, 0x02),
      address6(0x20, 0x01, 0x0D, 0xB8), address6(0x20, 0x01, 0, 0), address6(0x20, 0x02, 127, 0, 0, 1),
      address6(end: [0xFF, 0xFF, 127, 0, 0, 1]), address6(end: [0xFF, 0xFF, 93, 184, 215, 14]),
      address6(0, 0x64, 0xFF, 0x9B, end: [127, 0, 0, 1]), address6(0, 0x64, 0xFF, 0x9B, 0, 1, end: [8, 8, 8, 8]),
      address6(0x3F, 0xFF, 0x0F), address6(0x40),
    ] { #expect(!PublicAddress.contains(bytes), "\(bytes)") }
  }
}
