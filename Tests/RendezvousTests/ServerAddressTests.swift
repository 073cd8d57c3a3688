// SPDX-License-Identifier: Apache-2.0

import SeededGenerator
import Testing

@testable import Handoff

struct ServerAddressTests {
  @Test(
    arguments: [
      ("Example.ORG", "example.org", 4222), ("example.org:65535", "example.org", 65535), ("nas_1", "nas_1", 4222),
      ("192.0.2.1:1", "192.0.2.1", 1), ("[2001:DB8::1]", "2001:db8::1", 4222), ("[::1]:443", "::1", 443),
      ("[::ffff:192.0.2.1]:0443", "::ffff:192.0.2.1", 443), ("example.org.", "example.org.", 4222),
      (String(repeating: "a", count: 253), String(repeating: "a", count: 253), 4222),
    ] as [(String, String, UInt16)]
  )
  func aHostAndAPortAreRead(_ text: String, _ host: String, _ port: UInt16) throws {
    let address = try #require(ServerAddress(text))
    #expect(address.host == host && address.port == port)
    #expect(ServerAddress(address.description) == address)
    #expect(ServerAddress(text, defaultPort: 53)?.port == (port == 4222 ? 53 : port))
  }

  @Test(arguments: [
    "", ":", ":1", "a:", "a:0", "a:65536", "a:-1", "a:+1", "a:1 ", " a", "a b", "a,b", "a\"b", "a:1:2", "a/b", "a@b",
    "2001:db8::1", "[]", "[]:1", "[::1", "::1]", "[::1]x", "[::1]1", "[::1]:", "[a]", "[nas]:1", "[::g]", "[[::1]]",
    "n\u{E4}s", "a\0", "a\n", "a:\u{661}", "a:\u{301}1",
    "a\u{D4E}:1", "[\u{301}::1]", "[::1]\u{200D}:1", "[::1]:\u{301}1", "[\u{D4E}]",
    String(repeating: "a", count: 254),
    // Nobody can connect to these, and a name that begins so means something else to some programs.
    "0.0.0.0", "0.0.0.0:1", "[::]", "[::]:1", ".example.org", "-nas", ".", "-:1",
  ])
  func anythingElseIsRefused(_ text: String) {
    #expect(ServerAddress(text) == nil)
  }

  /// The address of a relay is made of that of a server.
  @Test func eachServerCanBeARelay() throws {
    var random = SeededGenerator(seed: 1)
    let letters = Array("aZ09.-_:[]@/? ")
    var count = 0
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in letters.randomElement(using: &random) }
      )
      guard let server = ServerAddress(text, defaultPort: 1) else { continue }
      count += 1
      #expect(ServerAddress(server.description) == server, "\(text)")
      let relay = try RelayAddress("relay://\(server)/?id=\(RelayID.text([UInt8](repeating: 1, count: 32)))")
      #expect(relay.host == server.host && relay.port == server.port)
    }
    #expect(count > 1000)
  }
}
