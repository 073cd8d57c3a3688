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
      guard ([self.host] + Self.loopbacks).contains(where: { host.hasBytes(of: $0) }),
        let there = ports.first(where: { $0.value == port })?.key
      else { return nil }
      return originAuthority(there)
    }
  }

  /// Whether an address means something else on each machine, and is none of the page's servers: on the other machine,
  /// it would be another program's. Reads it as leniently as browsers do.
  ///
  /// - Parameters:
  ///   - address: As in the field `Location` or `Origin`. May be relative.
  ///   - isHere: Whether it has the names and ports of the machine that shows the page.
  func isElsewhere(_ address: String, isHere: Bool) -> Bool {
    let isSlash: (Unicode.Scalar) -> Bool = { "/\\".unicodeScalars.contains($0) }
    let text = Substring(address.lowercased()).unicodeScalars.drop { $0.value <= 0x20 }
    let scheme = ["http:", "https:"].first { text.starts(with: $0.unicodeScalars) }
    let rest = text.dropFirst(scheme?.unicodeScalars.count ?? 0)
    // Without a scheme, one slash begins a path.
    guard scheme != nil || rest.prefix(while: isSlash).count >= 2 else { return false }
    let authority = rest.drop(while: isSlash).prefix { !"/\\?#".unicodeScalars.contains($0) }
    let name = String(authority).split(atScalar: "@").last ?? ""
    guard let (host, port) = Self.split(name), Self.isLoopback(host) else { return false }
    let own = [isHere ? self.host : originHost] + Self.loopbacks
    // What isn't rewritten in that form doesn't lead to the server either.
    guard address.starts(withBytesOf: "http://"), own.contains(where: { host.hasBytes(of: $0) }) else { return true }
    return isHere ? !ports.values.contains(port) : ports[port] == nil
  }

  private static func isLoopback(_ host: String) -> Bool {
    let name = host.start(beforeBytesOf: ".") ?? host[...]
    return name.hasBytes(of: "localhost") || name.ends(withBytesOf: ".localhost") || name.starts(withBytesOf: "127.")
      || ["0.0.0.0", "[::]", "[::1]"].contains { name.hasBytes(of: $0) }
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
