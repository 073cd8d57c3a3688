import Activity

/// A web page's URL, of which the host decides which app shows it.
package struct WebPage: Equatable, Sendable {
  /// What RFC 3986 does not allow is percent-encoded, as browsers do it, but for the host.
  package let url: String
  /// In small letters, without user and port.
  package let host: String

  /// Nil where it is not of http or https, has no host, or has white space, control characters, quotes or backslashes: a
  /// program could take it for something else.
  package init?(_ url: String) {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !#"\""#.utf8.contains($0) }) else { return nil }
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
    let rest = url.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let host = Self.host(of: authority) else { return nil }
    let path = rest[authority.endIndex...].utf8.map { byte in
      byte == UInt8(ascii: "%") || PercentEncoding.isAllowed(byte)
        ? String(Unicode.Scalar(byte)) : PercentEncoding.encode([byte])
    }
    self.url = scheme + authority + path.joined()
    self.host = host
  }

  /// Of what stands between the slashes and the path.
  private static func host(of authority: Substring) -> String? {
    let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
    let isAddress = place.hasPrefix("[")
    let host = isAddress ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }
    let port = place[host.endIndex...].dropFirst(isAddress ? 1 : 0)
    guard !host.isEmpty, !isAddress || place.contains("]"),
      port.isEmpty || (port.first == ":" && port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
    else { return nil }
    // The root's dot makes no other host.
    return (host.last == "." ? host.dropLast() : host).lowercased()
  }
}
