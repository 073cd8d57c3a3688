// SPDX-License-Identifier: Apache-2.0

/// A web page's URL. Its host decides which app shows it.
package struct WebPage: Equatable, Sendable {
  /// The URL. Characters that RFC 3986 does not allow are percent-encoded, as browsers do, except for the host's
  /// letters.
  package let url: String
  /// The host in small letters, without user and port.
  package let host: String
  /// The path as in `url`; `/` if there is none. The query and the fragment are without `?` and `#`, and empty if there
  /// are none.
  package let path: String
  package let query: String
  package let fragment: String

  /// Creates a page from a URL. Nil if the URL is not http or https, or has no host. Also nil if it contains white
  /// space, control characters, quotes or backslashes, because a program could take it for something else. The same
  /// applies to a host with characters that names of machines do not have.
  package init?(_ url: String) {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !#"\""#.utf8.contains($0) }) else { return nil }
    let lower = url.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lower.utf8.starts(with: $0.utf8) }) else { return nil }
    // This compares bytes, as browsers do, because a sign and a combining mark after it are one character to `String`.
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let place = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
    guard let host = Self.host(of: place) else { return nil }
    self.host = host
    let tail = rest[authority.endIndex...]
    let start = Self.encoded(authority[..<place.startIndex]) + String(Substring(place))
    self.url = scheme + start + Self.encoded(tail)  // Checked: texts.
    let resource = tail.prefix { $0 != UInt8(ascii: "#") }
    let path = resource.prefix { $0 != UInt8(ascii: "?") }
    self.path = path.isEmpty ? "/" : Self.encoded(path)
    query = Self.encoded(resource[path.endIndex...].dropFirst())
    fragment = Self.encoded(tail[resource.endIndex...].dropFirst())
  }

  /// The URL without a user's name and password.
  package var urlWithoutUser: String {
    guard let colon = url.utf8.firstRange(ofBytes: "://".utf8) else { return url }
    let authority = url.utf8[colon.upperBound...].prefix { !"/?#".utf8.contains($0) }
    guard let sign = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
    return String(url[..<colon.upperBound]) + String(url[url.utf8.index(after: sign)...])
  }

  private static func encoded(_ text: Substring.UTF8View) -> String {
    text.map { byte in
      PercentEncoding.isAllowed(byte) ? String(Unicode.Scalar(byte)) : PercentEncoding.encode([byte])
    }.joined()
  }

  /// - Parameter place: Host and port.
  private static func host(of place: Substring.UTF8View) -> String? {
    let isAddress = place.first == UInt8(ascii: "[")
    let host = place.prefix { $0 != UInt8(ascii: isAddress ? "]" : ":") }
    var port = place[host.endIndex...]
    if isAddress {
      guard port.popFirst() != nil, isAddressText(host.dropFirst()) else { return nil }
    } else {
      guard isName(Substring(host)) else { return nil }
    }
    guard
      port.isEmpty || (port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
    else { return nil }
    // The root's dot does not make it another host.
    return Substring(host.last == UInt8(ascii: ".") ? host.dropLast() : host).lowercased()
  }

  /// Whether the text has only characters of an IPv6 address.
  private static func isAddressText(_ text: Substring.UTF8View) -> Bool {
    !text.isEmpty
      && text.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      }
  }

  /// Whether the text is a name: labels of letters and digits, also of other scripts (IDNs), `-`, and `_`, which names
  /// in home networks have. RFC 3986 would allow characters that shells and browsers read in their own ways.
  private static func isName(_ text: Substring) -> Bool {
    var labels = text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    return labels.allSatisfy { label in
      guard let first = label.first, !isMark(first) else { return false }
      return label.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: isMark(scalar) || scalar == "-" || scalar == "_"
        }
      }
    }
  }

  /// Whether the scalar belongs to the letter before it.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .spacingMark
  }
}
