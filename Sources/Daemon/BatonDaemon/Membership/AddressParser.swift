// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff

/// Turns what a person types for a machine into addresses.
enum AddressParser {
  /// Splits `HOST`, `HOST:PORT`, `[IPV6]`, `[IPV6]:PORT` or a bare IPv6 address.
  ///
  /// - Throws: `Reason.addressInvalid`.
  static func split(_ text: String, defaultPort: UInt16) throws(Reason) -> (host: String, port: UInt16) {
    var host = text[...]
    var port: Substring?
    if let address = text.rest(afterBytesOf: "[") {
      guard let end = address.unicodeScalars.firstIndex(of: "]") else { throw .addressInvalid }
      host = address[..<end]
      let rest = address.rest(after: end)
      port = rest.rest(afterBytesOf: ":")
      guard rest.isEmpty || port != nil else { throw .addressInvalid }
    } else if text.unicodeScalars.count(where: { $0 == ":" }) == 1, let colon = text.unicodeScalars.firstIndex(of: ":")
    {
      host = text[..<colon]
      port = text.rest(after: colon)
    }
    guard !host.isEmpty, host.utf8.count <= 253,
      !host.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value == 0 })
    else { throw .addressInvalid }
    guard !host.unicodeScalars.contains(":") || isIPv6(host) else { throw .addressInvalid }
    guard let port else { return (String(host), defaultPort) }
    guard let number = UInt16(port), number > 0 else { throw .addressInvalid }
    return (String(host), number)
  }

  /// Whether it is an IPv6 address, perhaps followed by an interface, which need not exist now.
  private static func isIPv6(_ host: Substring) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, String(host.scalarPrefix(while: { $0 != "%" })), &address) == 1
  }

  /// Returns what was typed in a unique form, `HOST:PORT` or `[IPV6]:PORT`, so that equal addresses are equal texts.
  ///
  /// - Throws: `Reason.addressInvalid`.
  static func canonical(_ text: String) throws(Reason) -> String {
    let (typed, port) = try split(text, defaultPort: Configuration.defaultPort)
    // The name of the interface after a link-local address is case-sensitive, unlike the host.
    let interface = typed.unicodeScalars.firstIndex(of: "%") ?? typed.endIndex
    let host = typed[..<interface].lowercased() + typed[interface...]
    return host.unicodeScalars.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  @Loop private static let lookups = Lookups(lookUp)

  /// Asks the system's resolver, off the loop, because that may take seconds.
  ///
  /// - Parameters:
  ///   - user: The user who asks.
  ///   - isAwaited: Whether a person waits for the result.
  ///   - completion: Called once, never before this returns.
  @Loop
  static func resolve(
    host: String,
    port: UInt16,
    for user: UserID,
    isAwaited: Bool = true,
    completion: @escaping @Loop ([SocketAddress]) -> Void
  ) {
    guard let address = SocketAddress(numericHost: host, port: port) else {
      return lookups.begin(host: host, port: port, for: user, isAwaited: isAwaited, completion: completion)
    }
    Task { @Loop in completion([address]) }
  }

  @Sendable
  private static func lookUp(_ host: String, _ port: UInt16) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    return sequence(first: list) { $0?.pointee.ai_next }
      .prefix { $0 != nil }
      .compactMap { SocketAddress($0?.pointee.ai_addr)?.with(port: port) }
  }
}
