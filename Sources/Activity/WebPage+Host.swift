extension WebPage {
  /// The host as it stands in URLs, in small letters: with the brackets of an address. An offer names it.
  package var hostName: String { host.hasPrefix("[") ? host + "]" : host }

  /// Whether a text, as another machine sends it, is a ``hostName``.
  package static func isHostName(_ text: String) -> Bool {
    guard text.utf8.count <= Limits.hostLength, let page = WebPage("https://\(text)") else { return false }
    return page.hostName == text && page.url == "https://\(text)"
  }
}
