// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import Activity

/// The hosts of web pages, as offers name them.
struct WebPageHostTests {
  @Test(arguments: [
    ("https://Example.org:8443/a", "example.org"), ("http://u@[FE80::1]:80/", "[fe80::1]"),
    ("https://ä.org./", "ä.org"),
  ])
  func aPageHasOne(url: String, host: String) throws {
    let page = try #require(WebPage(url))
    #expect(page.hostName == host)
    #expect(WebPage.isHostName(host))
  }

  @Test(arguments: [
    "", "a.org/", "a.org:80", "u@a.org", "a.org?x", "a.org#x", "A.org", "a.org.", "a b", "[::1", "a.org\u{202E}",
    "a.org\n",
    String(repeating: "a", count: WebPage.hostLength + 1), "https://a.org",
  ])
  func otherTextIsNone(text: String) { #expect(!WebPage.isHostName(text)) }

  @Test func anOfferHasOneThatIsOne() throws {
    func record(_ host: String) -> ActivityRecord? {
      let id = ActivityID.random().description
      return ActivityRecord(
        json: ["id": .string(id), "activityType": "a.b", "hasWebPage": true, "webpageHost": .string(host)]
      )
    }
    #expect(record("example.org")?.webpageHost == "example.org")
    #expect(record("example.org/evil") == nil)
    #expect(record("a\u{1B}[2J") == nil)
  }
}
