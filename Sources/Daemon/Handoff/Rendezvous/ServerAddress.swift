// SPDX-License-Identifier: Apache-2.0

import Activity

/// Where a server is: the name or the address of a host, and a port.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
  package static let defaultPort: UInt16 = 4222

  /// A name in lower case, or an address without brackets.
  package let host: String
  package let port: UInt16

  /// Reads `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`. Nil if it is none of them.
  package init?(_ text: String, defaultPort: UInt16 = defaultPort) {
    var (host, port): (Substring, Substring?) = (text[...], nil)
    if let address = text.rest(afterBytesOf: "[") {
      guard let end = address.unicodeScalars.firstIndex(of: "]") else { return nil }
      host = address[..<end]
      let rest = address.rest(after: end)
      port = rest.rest(afterBytesOf: ":")
      guard rest.isEmpty || port != nil else { return nil }
      guard host.unicodeScalars.contains(":"), host.utf8.allSatisfy(Self.isOfAddress) else { return nil }
    } else {
      if let colon = text.unicodeScalars.firstIndex(of: ":") {
        (host, port) = (text[..<colon], text.rest(after: colon))
      }
      guard host.utf8.allSatisfy(Self.isOfName) else { return nil }
    }
    guard (1...253).contains(host.utf8.count), !Self.isEverywhere(host), !host.starts(withBytesOf: "."),
      !host.starts(withBytesOf: "-")
    else {
      return nil
    }
    self.host = host.lowercased()
    guard let port else {
      self.port = defaultPort
      return
    }
    guard let number = UInt16(port), number > 0, port.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.port = number
  }

  /// - Parameter host: A name in small letters, or an address without brackets.
  package init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

  package var description: String { host.unicodeScalars.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Where a server can listen, but nobody can find it.
  private static func isEverywhere(_ host: Substring) -> Bool { host == "0.0.0.0" || host == "::" }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isOfAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), 0x30...0x39,
      UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
