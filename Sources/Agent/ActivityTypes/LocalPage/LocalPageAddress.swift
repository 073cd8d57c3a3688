// SPDX-License-Identifier: Apache-2.0

import Activity

/// The address of a page whose server runs on the machine itself, in the form that browsers give it. Only http: with
/// https, the certificate would be for another name.
package struct LocalPageAddress: Equatable, Sendable {
  /// Where servers for the address listen.
  package enum Loopback: Equatable, Sendable {
    /// ::1 or 127.0.0.1, as browsers try them.
    case any
    /// Four bytes, of which the first is 127.
    case ipv4([UInt8])
    case ipv6
  }

  package let url: String
  /// The host as it is in the address, such as `localhost`, `app.localhost`, `127.0.0.1` or `[::1]`.
  package let host: String
  package let port: UInt16
  package let loopback: Loopback
  /// The path with the query and the fragment. Begins with a slash.
  package let resource: String

  /// Nil if the address is of another machine, or of this one in a way that no server would be found by.
  package init?(_ url: String) {
    guard url.starts(withBytesOf: "http://"), let page = WebPage(url), page.url.hasBytes(of: url),
      url.utf8.allSatisfy({ $0 < 0x80 })
    else { return nil }
    let rest = url.utf8.dropFirst("http://".utf8.count)
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    guard !authority.contains(UInt8(ascii: "@")) else { return nil }
    let isIPv6 = authority.first == UInt8(ascii: "[")
    let host = isIPv6 ? "\(page.host)]" : page.host
    guard let loopback = Self.loopback(host) else { return nil }
    let port = authority.dropFirst(host.utf8.count)
    // The root's dot is not in `host`.
    guard port.isEmpty || port.first == UInt8(ascii: ":") else { return nil }
    guard let number = port.count < 2 ? 80 : UInt16(Substring(port.dropFirst())), number > 0 else { return nil }
    let resource = String(Substring(rest[authority.endIndex...]))
    (self.url, self.host, self.port, self.loopback) = (url, host, number, loopback)
    self.resource = resource.starts(withBytesOf: "/") ? resource : "/" + resource  // Checked: texts.
  }

  private static func loopback(_ host: String) -> Loopback? {
    switch host {
    case "localhost": return .any
    // What connects to these reaches the address of the same kind.
    case "0.0.0.0": return .ipv4([127, 0, 0, 1])
    case "[::1]", "[::]": return .ipv6
    default: break
    }
    if host.ends(withBytesOf: ".localhost") { return .any }
    let numbers = host.split(atScalar: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    let bytes = numbers.compactMap(\.self)
    // Browsers write no other form of it.
    guard bytes.count == 4, numbers.count == 4, bytes.first == 127,
      bytes.map({ String($0) }).joined(separator: ".").hasBytes(of: host)
    else { return nil }
    return .ipv4(bytes)
  }

  /// What the names of the page's servers have in common: `localhost` if the host is that or ends in `.localhost`, and
  /// otherwise the host.
  package var site: String { host.ends(withBytesOf: ".localhost") ? "localhost" : host }

  static func authority(_ host: String, _ port: UInt16) -> String { port == 80 ? host : "\(host):\(port)" }
}
