// SPDX-License-Identifier: Apache-2.0

import Activity

/// The names that the page's servers have on the machine where they run and on the one that shows the page, for
/// rewriting requests and responses.
package struct LocalPageNames: Equatable, Sendable {
  /// The host on the machine that shows the page, such as `laptop.localhost`.
  package let host: String
  /// The host on the machine where the servers run, such as `localhost`.
  package let originHost: String
  /// The port here by the port there.
  package var ports: [UInt16: UInt16]

  package init(host: String, originHost: String, ports: [UInt16: UInt16]) {
    (self.host, self.originHost, self.ports) = (host, originHost, ports)
  }

  /// The names that mean the machine itself on each.
  private static let loopbacks = ["localhost", "127.0.0.1", "[::1]"]

  /// Whether a request at a port here is for the page's servers. A site whose name was made to mean this machine has
  /// its own name there (DNS rebinding). Pages name their other servers by `localhost`.
  func accepts(host text: String, at port: UInt16) -> Bool {
    ([host] + Self.loopbacks).contains {
      let name = "\($0):\(port)"
      return text.hasBytes(of: name) || port == 80 && text.hasBytes(of: $0)
    }
  }

  func originAuthority(_ port: UInt16) -> String { LocalPageAddress.authority(originHost, port) }

  /// Rewrites an address of a page shown here to the one that the server knows. Other addresses stay as they are.
  func toOrigin(_ address: String) -> String {
    rewritten(address) { host, port in
      guard host.hasBytes(of: self.host), let there = ports.first(where: { $0.value == port })?.key else { return nil }
      return originAuthority(there)
    }
  }

  /// Rewrites an address of one of the page's servers to the one that it has here. Other addresses stay as they are.
  func toHere(_ address: String) -> String {
    rewritten(address) { host, port in
      guard (Self.loopbacks + [originHost]).contains(where: { host.hasBytes(of: $0) }), let here = ports[port] else {
        return nil
      }
      return LocalPageAddress.authority(self.host, here)
    }
  }

  private func rewritten(_ address: String, _ authority: (_ host: String, _ port: UInt16) -> String?) -> String {
    guard let rest = address.rest(afterBytesOf: "http://") else { return address }
    let old = rest.scalarPrefix { !"/?#".unicodeScalars.contains($0) }
    guard let (host, port) = Self.split(old), let new = authority(host, port) else { return address }
    return "http://\(new)\(Substring(rest.utf8.dropFirst(old.utf8.count)))"
  }

  private static func split(_ authority: Substring) -> (host: String, port: UInt16)? {
    guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), authority.utf8.last != UInt8(ascii: "]") else {
      return (authority.lowercased(), 80)
    }
    guard let port = UInt16(Substring(authority.utf8[colon...].dropFirst())) else { return nil }
    return (authority[..<colon].lowercased(), port)
  }
}
