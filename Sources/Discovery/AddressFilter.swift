import Activity
import EventLoop

/// Which addresses of others a connection may be made to: what is announced must not make us connect to ourselves, to
/// a service of the system, to a group, or to somebody on another link than the one it came from.
enum AddressFilter {
  /// - Parameter link: The addresses of this machine on the interface over which the record came.
  static func accepts(_ address: SocketAddress, on link: [HostAddress]) -> Bool {
    guard address.port >= Limits.lowestPort, isOneHost(address), !isIPv4InIPv6(address) else { return false }
    if address.isLoopback { return link.contains(where: \.isLoopback) }
    return address.isLinkLocal || link.contains { $0.isNeighbour(address) }
  }

  /// A link-local IPv6 address needs the interface to connect over.
  static func scoped(_ address: SocketAddress, interface: Int32) -> SocketAddress? {
    guard address.isLinkLocal else { return address }
    guard let scope = UInt32(exactly: interface) else { return nil }
    return SocketAddress(bytes: address.bytes, port: address.port, scope: scope)
  }

  /// The two IP versions by turns, beginning with the first: where one is dead the other is tried second (RFC 8305,
  /// section 4).
  static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.isIPv6 == first.isIPv6 }
    let other = addresses.filter { $0.isIPv6 != first.isIPv6 }
    return (0..<max(same.count, other.count)).flatMap { index in
      [same, other].compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  /// Not unspecified, not multicast, not broadcast, and not "this network".
  private static func isOneHost(_ address: SocketAddress) -> Bool {
    address.isUnicast && (address.isIPv6 || address.bytes.first != 0)
  }

  /// `::ffff:0:0/96` and `::/96`: IPv4 in disguise, past the checks above. The loopback address itself is not meant.
  private static func isIPv4InIPv6(_ address: SocketAddress) -> Bool {
    guard address.isIPv6, !address.isLoopback, address.bytes.prefix(10).allSatisfy({ $0 == 0 }) else { return false }
    let middle = Array(address.bytes.dropFirst(10).prefix(2))
    return middle == [0xFF, 0xFF] || middle == [0, 0]
  }
}
