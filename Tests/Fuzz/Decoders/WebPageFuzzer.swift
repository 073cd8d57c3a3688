import Activity
import DesktopEntries

/// A page's URL, which another machine sent and a browser will get, and a domain that an app claims.
enum WebPageFuzzer: Fuzzer {
  static let seeds = [
    "https://Example.org:8080/a/b?c=d&e#f", "http://user:pass@[2001:db8::1]:80/%41é", "https://bücher.example./",
    "HTTPS://a@b@c/?#", "*.example.org", "https://a.org/\u{301}?\u{338}#\u{301}",
  ].map { Array($0.utf8) }

  static let words = ["https://", "http://", "@", "[::1]", "%2F", "\u{301}", "xn--", ":65536", "\\", "*."]

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
    let parts =
      page.path + (page.query.isEmpty ? "" : "?\(page.query)") + (page.fragment.isEmpty ? "" : "#\(page.fragment)")
    hold(parts.utf8.allSatisfy { (0x21..<0x7F).contains($0) }, "\(parts) is not plain")
    let tail = page.url.utf8.dropFirst("https://".utf8.count).drop { !"/?#".utf8.contains($0) }
    hold(tail.allSatisfy { (0x21..<0x7F).contains($0) }, "\(page.url) is not plain")
    same(WebPage(page.url), page, "A program that reads its URL reads something else")
  }
}
