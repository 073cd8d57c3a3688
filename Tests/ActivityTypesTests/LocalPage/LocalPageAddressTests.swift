// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import ActivityTypes

struct LocalPageAddressTests {
  @Test(arguments: [
    ("http://localhost:8000/a?b#c", "localhost", 8000, "/a?b#c"), ("http://localhost/", "localhost", 80, "/"),
    ("http://localhost:8000", "localhost", 8000, "/"), ("http://localhost:8000?q", "localhost", 8000, "/?q"),
    ("http://app.localhost:3000/", "app.localhost", 3000, "/"), ("http://[::1]:5173/", "[::1]", 5173, "/"),
    ("http://127.0.0.1:1/", "127.0.0.1", 1, "/"), ("http://0.0.0.0:65535/", "0.0.0.0", 65535, "/"),
    ("http://[::]:80/", "[::]", 80, "/"),
  ])
  func pagesOfThisMachineAreRead(_ url: String, _ host: String, _ port: UInt16, _ resource: String) throws {
    let address = try #require(LocalPageAddress(url))
    #expect((address.host, address.port, address.resource) == (host, port, resource))
  }

  @Test func eachHostHasItsLoopback() {
    #expect(LocalPageAddress("http://localhost:1/")?.loopback == .any)
    #expect(LocalPageAddress("http://127.0.1.1:1/")?.loopback == .ipv4([127, 0, 1, 1]))
    #expect(LocalPageAddress("http://[::1]:1/")?.loopback == .ipv6)
    #expect(LocalPageAddress("http://[::]:1/")?.loopback == .ipv6)
    #expect(LocalPageAddress("http://0.0.0.0:1/")?.loopback == .ipv4([127, 0, 0, 1]))
    for (url, site) in [
      ("http://a.b.localhost/", "localhost"), ("http://localhost/", "localhost"), ("http://[::1]/", "[::1]"),
    ] {
      #expect(LocalPageAddress(url)?.site == site)
    }
  }

  @Test(arguments: [
    "https://localhost:8000/", "http://example.org/", "http://localhost.:8000/", "http://user@localhost:8000/",
    "http://localhost:0/", "http://localhost:65536/", "http://localhost:8000x/", "http://127.1/", "http://0x7f.0.0.1/",
    "http://2130706433/", "http://127.0.0.01/", "http://[::ffff:127.0.0.1]/", "http://169.254.1.1/", "http://printer/",
    "http://printer.local/", "http://localhost4/", "http://localhos\u{2C6}t/", "http://[fe80::1]/", "http://128.0.0.1/",
    "HTTP://localhost/", "http://[::1", "http://", "",
  ])
  func everythingElseIsNot(_ url: String) { #expect(LocalPageAddress(url) == nil) }

  @Test func theActivityKeepsPortsAndState() throws {
    let address = try #require(LocalPageAddress("http://localhost:8000/a"))
    let state = PageState(place: PagePlace(fraction: 5))
    let activity = LocalPageActivity(address, others: [3001, 8000, 0, 3001, 4], state: state)
    #expect(activity.ports == [8000, 3001, 4])
    #expect(LocalPageActivity(json: activity.userInfo) == activity)
    let all = LocalPageActivity(address, others: Array(1...1000))
    #expect(all.ports == [8000, 1, 2, 3, 4, 5, 6, 7])
    #expect(LocalPageActivity(json: ["url": "http://localhost:1/", "ports": [1, 2, 65536]]) == nil)
    #expect(LocalPageActivity(json: ["url": "http://localhost:1/", "ports": [1, 2, 3, 4, 5, 6, 7, 8, 9]]) == nil)
    #expect(LocalPageActivity(json: ["url": "http://example.org/"]) == nil)
    let text = FormField(kind: .text, text: String(repeating: "x", count: 5000))
    let long = LocalPageActivity(address, others: [3001], state: PageState(form: [text]))
    #expect(LocalPageActivity(json: long.userInfo) == LocalPageActivity(address, others: [3001]))
  }
}
