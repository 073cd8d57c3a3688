import Activity

/// A web page's URL, of which the host decides which app shows it.
package struct WebPage: Equatable, Sendable {
  /// What RFC 3986 does not allow is percent-encoded, as browsers do it, but for the host's letters.
  package let url: String
  /// In small letters, without user and port.
  package let host: String

  /// Nil where it is not of http or https, has no host, or has white space, control characters, quotes or backslashes: a
  /// program could take it for something else. So it is where the host has what names of machines do not have.
  package init?(_ url: String) {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !#"\""#.utf8.contains($0) }) else { return nil }
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
    let rest = url.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority
    guard let host = Self.host(of: place) else { return nil }
    self.url = scheme + Self.encoded(authority[..<place.startIndex]) + place + Self.encoded(rest[authority.endIndex...])
    self.host = host
  }

  private static func encoded(_ text: Substring) -> String {
    text.utf8.map { byte in
      PercentEncoding.isAllowed(byte) ? String(Unicode.Scalar(byte)) : PercentEncoding.encode([byte])
    }.joined()
  }

  /// - Parameter place: Host and port.
  private static func host(of place: Substring) -> String? {
    let isAddress = place.hasPrefix("[")
    let host = isAddress ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }
    let port = place[host.endIndex...].dropFirst(isAddress ? 1 : 0)
    guard isAddress ? place.contains("]") && isAddressText(host.dropFirst()) : isName(host),
      port.isEmpty || (port.first == ":" && port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) })
    else { return nil }
    // The root's dot makes no other host.
    return (host.last == "." ? host.dropLast() : host).lowercased()
  }

  /// An address of IPv6, by its characters.
  private static func isAddressText(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
  }

  /// Labels of letters and digits, also of other scripts (IDNs), `-` and `_`, which names at home have. RFC 3986 would allow
  /// what shells and browsers read in ways of their own.
  private static func isName(_ text: Substring) -> Bool {
    var labels = text.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return labels.allSatisfy { label in
      !label.isEmpty
        && label.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
          default: scalar == "-" || scalar == "_"
          }
        }
    }
  }
}
