// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Glibc

/// A page's URL, which another machine sent and a browser will get, and a domain that an app claims.
enum WebPageFuzzer: Fuzzer {
  static let seeds = [
    "https://Example.org:8080/a/b?c=d&e#f", "http://user:pass@[2001:db8::1]:80/%41é", "https://bücher.example./",
    "HTTPS://a@b@c/?#", "*.example.org", "http://0x7f.1/", "http://[::ffff:127.0.0.1]/", "http://2130706433./",
    "https://a.org/\u{301}?\u{338}#\u{301}",
  ].map { Array($0.utf8) }

  static let words = [
    "https://", "http://", "@", "[::1]", "%2F", "\u{301}", "xn--", ":65536", "\\", "*.", "127.", "0x7f", "017", "::",
    "ffff:",
  ]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    if let domain = DomainPattern(text) {
      same(DomainPattern(domain.description), domain)
      hold(WebPage("https://\(domain.domain)/")?.host == domain.domain, "\(domain) is the host of no page")
      hold(domain.covers(domain.domain) != domain.coversSubdomains, "\(domain) and its own host")
      hold(domain.covers("a.\(domain.domain)") == domain.coversSubdomains, "\(domain) and a host below")
    }
    guard let page = WebPage(text) else { return }
    hold(page.url.starts(withBytesOf: "https://") || page.url.starts(withBytesOf: "http://"), page.url)
    hold(!page.host.isEmpty && !page.host.utf8.contains { "/?#@\\ \t\n\"".utf8.contains($0) }, "The host \(page.host)")
    hold(page.path.utf8.first == UInt8(ascii: "/"), "The path \(page.path)")
    hold(page.isOfThisMachineOnly || !isLoopback(page.host), "\(page.host) is of another machine")
    let parts =
      page.path + (page.query.isEmpty ? "" : "?\(page.query)") + (page.fragment.isEmpty ? "" : "#\(page.fragment)")
    hold(parts.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(parts) is not plain")
    let tail = page.url.utf8.dropFirst("https://".utf8.count).drop { !"/?#".utf8.contains($0) }
    hold(tail.allSatisfy { (0x21..<0x7F).contains($0) }, "\(page.url) is not plain")
    same(WebPage(page.url), page, "A program that reads its URL reads something else")
  }

  /// Whether the C library reads the host as an address of this machine, as `curl` and others do.
  private static func isLoopback(_ host: String) -> Bool {
    var four = in_addr()
    if inet_aton(host, &four) != 0 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
    var six = in6_addr()
    guard
      inet_pton(AF_INET6, host.starts(withBytesOf: "[") ? String(Substring(host.utf8.dropFirst())) : host, &six) == 1
    else {
      return false
    }
    let bytes = withUnsafeBytes(of: six) { Array($0) }
    let isMapped = bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127])
    return isMapped || bytes == Array(repeating: 0, count: 15) + [1]
  }
}
