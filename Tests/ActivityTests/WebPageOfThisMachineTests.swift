// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Activity

/// Pages that are others on each machine.
struct WebPageOfThisMachineTests {
  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "localhost.localdomain", "localhost6", "ip6-localhost",
    "127.0.0.1", "127.1", "127.0.1", "127.255.0.3", "0", "0.0.0.0", "0.1.2.3", "2130706433", "0x7f000001", "0x7f.1",
    "0177.0.0.1", "017700000001", "127.0.0.1.", "169.254.1.1", "0xA9FE0101", "127.0.0.0x1", "0x", "0.0x",
    // No browser asks for these, but another program might.
    "1.2.3.4.5", "256.1.1.1", "4294967296", "127.0.0.08",
    "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[::127.0.0.1]",
    "[0000:0000:0000:0000:0000:ffff:7f00:0001]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]",
    "[fe80::1]", "[FEBF::1]", "[::ffff:169.254.0.1]", "[::ffff:0.0.0.0]", "[1]", "[::1::]", "[12345::]", "[:::]",
    // Browsers make ASCII of these.
    "ｌｏｃａｌｈｏｓｔ", "local\u{FE0F}host", "loc\u{34F}alhost", "a.ｌocalhost", "１２７.0.0.1", "127.0.0.１", "localho\u{17F}t",
    "𝟏𝟐𝟕.0.0.1", "é.localhost",
  ])
  func theseAre(host: String) throws {
    let page = try #require(WebPage("http://\(host)/"))
    #expect(page.isOfThisMachineOnly)
    #expect(try #require(WebPage("https://ada:pw@\(host):8080/?x#y")).isOfThisMachineOnly)
  }

  @Test(arguments: [
    "example.org", "localhost.example.org", "notlocalhost", "mylocalhost.de", "localhosts", "10.77.0.1", "192.168.0.1",
    "128.0.0.1", "1.127.0.0", "[2001:db8::1]", "[fec0::1]", "[::ffff:10.0.0.1]", "[fd00::7f00:1]", "laptop",
    "laptop.local", "bücher.example", "straße", "ελλάς", "xn--bcher-kva.example", "7f.example", "0x7f.example",
    "mañana",
    "[2002:a00:1::]",
  ])
  func theseAreNot(host: String) throws {
    #expect(try #require(WebPage("http://\(host)/127.0.0.1?localhost")).isOfThisMachineOnly == false)
  }
}
