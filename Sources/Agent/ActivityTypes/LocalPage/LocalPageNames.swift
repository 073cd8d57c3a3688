// SPDX-License-Identifier: Apache-2.0

import Activity

/// The names that the page's servers have on the machine where they run and on the one that shows the page, for
/// rewriting requests and responses.
///
/// `localhost` there is `laptop.localhost` here, and `app.localhost` there is `app.laptop.localhost` here.
package struct LocalPageNames: Equatable, Sendable {
  /// The host on the machine that shows the page, such as `laptop.localhost`.
  package let host: String
  /// The host on the machine where the servers run (``LocalPageAddress/site``): `localhost`, which also stands for the
  /// names that end in `.localhost`, or an address such as `127.0.0.1`.
  package let originHost: String
  /// The port here by the port there.
  package var ports: [UInt16: UInt16]

  package init(host: String, originHost: String, ports: [UInt16: UInt16]) {
    (self.host, self.originHost, self.ports) = (host, originHost, ports)
  }

  /// A host in a request that a program on this machine sends to one of the ports.
  struct Name: Equatable {
    /// What the server calls itself.
    let origin: String
    /// The name that is only for the servers of that machine, so that their cookies and storage stay apart.
    let here: String
    /// Whether the host is that name, and none that this machine's own servers have, too.
    let isOwn: Bool
  }

  private static let localhost = "localhost"
  private static let suffix = ".localhost"
  /// The names that mean the machine itself on each.
  private static let loopbacks = [localhost, "127.0.0.1", "[::1]"]
  /// What servers call themselves that listen at all addresses. Connecting to it reaches the machine itself.
  private static let wildcards = ["0.0.0.0", "[::]"]

  /// Nil if no page names its servers so. A site whose name was made to mean this machine has its own name there (DNS
  /// rebinding). Pages name their other servers by `localhost`.
  ///
  /// - Parameter host: In lower case, without the port.
  private func name(_ host: String) -> Name? {
    if host.hasBytes(of: self.host) { return Name(origin: originHost, here: self.host, isOwn: true) }
    if Self.loopbacks.contains(where: { host.hasBytes(of: $0) }) {
      return Name(origin: originHost, here: self.host, isOwn: false)
    }
    guard originHost.hasBytes(of: Self.localhost) else { return nil }
    if let label = Self.label(host, before: ".\(self.host)") {
      return Name(origin: label + Self.suffix, here: host, isOwn: true)
    }
    return Self.label(host, before: Self.suffix).map { Name(origin: host, here: "\($0).\(self.host)", isOwn: false) }
  }

  /// The host here of one of the page's servers. Nil if that is another machine's or unknown.
  ///
  /// - Parameter host: As the server calls itself, in lower case.
  func here(_ host: String) -> String? {
    if (Self.loopbacks + Self.wildcards + [originHost]).contains(where: { host.hasBytes(of: $0) }) { return self.host }
    guard originHost.hasBytes(of: Self.localhost) else { return nil }
    return Self.label(host, before: Self.suffix).map { "\($0).\(self.host)" }
  }

  /// What stands before a suffix: labels of letters, digits, hyphens and underscores.
  private static func label(_ host: String, before suffix: String) -> String? {
    guard host.ends(withBytesOf: suffix) else { return nil }
    let label = String(host.unicodeScalars.dropLast(suffix.unicodeScalars.count))
    let isValid = label.split(atScalar: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { isLabel($0) }
    }
    return isValid ? label : nil
  }

  private static func isLabel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  // MARK: Requests

  /// Finds out whether a request at a port here is for the page's servers.
  ///
  /// - Parameter authority: The field `Host`.
  func name(_ authority: String, at port: UInt16) -> Name? {
    guard let (host, number) = Self.split(authority[...]), number == port else { return nil }
    return name(host)
  }

  /// Rewrites an address of a page shown here to the one that the server knows. Other addresses stay as they are.
  func toOrigin(_ address: String) -> String {
    rewritten(address) { host, port in
      guard let name = name(host), name.isOwn, let there = ports.first(where: { $0.value == port })?.key else {
        return nil
      }
      return LocalPageAddress.authority(name.origin, there)
    }
  }

  // MARK: Responses

  /// Rewrites an address of one of the page's servers to the one that it has here. Other addresses stay as they are.
  package func toHere(_ address: String) -> String {
    rewritten(address) { host, port in
      guard let name = here(host), let number = ports[port] else { return nil }
      return LocalPageAddress.authority(name, number)
    }
  }

  /// Rewrites a field `Set-Cookie` (RFC 6265, section 4.1): browsers refuse a cookie of a domain that isn't the page's.
  func cookieToHere(_ cookie: String) -> String {
    let parts = cookie.split(atScalar: ";", omittingEmptySubsequences: false)
    return parts.enumerated().compactMap { index, part in
      let pair = part.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0.lowercased().splitScalars { $0 == " " || $0 == "\t" }.joined(separator: " "))
      }
      guard index > 0, pair.count == 2, pair.first == "domain", let value = pair.last else { return String(part) }
      let domain = value.rest(afterBytesOf: ".").map { String($0) } ?? value
      guard let name = here(domain) else { return String(part) }
      // The host's own cookie is for it alone, as it is there.
      return name.hasBytes(of: host) ? nil : " Domain=\(name)"
    }.joined(separator: ";")
  }

  // MARK: Addresses

  /// Whether an address means something else on each machine, and is none of the page's servers: on the other machine,
  /// it would be another program's. Reads it as leniently as browsers do.
  ///
  /// - Parameters:
  ///   - address: As in the field `Location` or `Origin`. May be relative.
  ///   - isHere: Whether it has the names and ports of the machine that shows the page.
  func isElsewhere(_ address: String, isHere: Bool) -> Bool {
    let isSlash: (Unicode.Scalar) -> Bool = { "/\\".unicodeScalars.contains($0) }
    let isLeftOut: (Unicode.Scalar) -> Bool = { ["\t", "\n", "\r"].contains($0) }
    let text = address.lowercased().dropScalars { $0.value <= 0x20 }.unicodeScalars.filter { !isLeftOut($0) }
    let scheme = ["http:", "https:"].first { text.starts(with: $0.unicodeScalars) }
    let rest = text.dropFirst(scheme?.unicodeScalars.count ?? 0)
    // Without a scheme, one slash begins a path.
    guard scheme != nil || rest.prefix(while: isSlash).count >= 2 else { return false }
    let authority = rest.drop(while: isSlash).prefix { !"/\\?#".unicodeScalars.contains($0) }
    let place = String(String.UnicodeScalarView(authority)).split(atScalar: "@").last ?? ""
    // What programs could read in different ways is not followed.
    guard let page = WebPage("http://\(place)/") else { return true }
    guard page.isOfThisMachineOnly else { return false }
    // What isn't rewritten in that form doesn't lead to the server either.
    guard let (_, strict, _) = Self.parts(address), strict.lowercased().hasBytes(of: place),
      let (host, port) = Self.split(strict)
    else { return true }
    if isHere { return name(host)?.isOwn != true || !ports.values.contains(port) }
    return here(host) == nil || ports[port] == nil
  }

  private func rewritten(_ address: String, _ authority: (_ host: String, _ port: UInt16) -> String?) -> String {
    guard let (start, old, rest) = Self.parts(address), let (host, port) = Self.split(old),
      let new = authority(host, port)
    else { return address }
    return "\(start)\(new)\(rest)"
  }

  /// What stands before the authority, the authority, and what follows it. Nil if the address is none of http that is
  /// written as programs do.
  private static func parts(_ address: String) -> (start: String, authority: Substring, rest: Substring)? {
    guard let start = ["http://", "//"].first(where: { address.starts(withBytesOf: $0) }),
      let rest = address.rest(afterBytesOf: start)
    else { return nil }
    let authority = rest.scalarPrefix { !"/?#".unicodeScalars.contains($0) }
    return (start, Substring(authority), Substring(rest.utf8.dropFirst(authority.utf8.count)))
  }

  /// Nil if the port is none. Without one, it is that of http.
  private static func split(_ authority: Substring) -> (host: String, port: UInt16)? {
    guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), authority.utf8.last != UInt8(ascii: "]") else {
      return (authority.lowercased(), 80)
    }
    let digits = authority.utf8[colon...].dropFirst()
    guard !digits.isEmpty else { return (authority[..<colon].lowercased(), 80) }
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(Substring(digits)) else { return nil }
    return (authority[..<colon].lowercased(), port)
  }
}
