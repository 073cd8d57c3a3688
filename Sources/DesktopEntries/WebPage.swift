/// A web page's URL, of which the host decides which app shows it.
package struct WebPage: Equatable, Sendable {
  package let url: String
  /// In small letters, without user and port.
  package let host: String

  /// Nil where it is not of http or https, has no host, names a user, or has what no URL does: a program could take it for
  /// something else.
  package init?(_ url: String) {
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }) else { return nil }
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
    let authority = lower.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    guard !authority.isEmpty, !authority.contains("@") else { return nil }
    let isAddress = authority.hasPrefix("[")
    let host = isAddress ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
    var rest = authority[host.endIndex...]
    if isAddress {
      guard rest.first == "]" else { return nil }
      rest = rest.dropFirst()
    }
    guard !host.isEmpty,
      rest.isEmpty || (rest.first == ":" && rest.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
    else { return nil }
    self.url = url
    // The root's dot makes no other host.
    self.host = String(host.last == "." ? host.dropLast() : host)
  }
}
