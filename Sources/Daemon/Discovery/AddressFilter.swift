// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// Decides which addresses of others this machine may connect to. An announcement must not make us connect to
/// ourselves, to a system service, to a group, or to a host on another link than the one it came from.
enum AddressFilter {
  /// - Parameter link: The addresses of this machine on the interface over which the record came.
  static func accepts(_ address: SocketAddress, on link: [HostAddress]) -> Bool {
    guard isAllowed(address) else { return false }
    if address.isLoopback { return link.contains(where: \.isLoopback) }
    return address.isLinkLocal || link.contains { $0.isNeighbour(address) }
  }

  /// Whether an address that is not of the link may be a machine on another one, as behind a reflector.
  /// It is only told to people, because anyone on the link can make it up.
  static func isElsewhere(_ address: SocketAddress) -> Bool { isAllowed(address) && isRoutable(address) }

  /// Decides whether to connect to an address where a peer says that it listens, in a session.
  ///
  /// - Parameter own: The addresses of this machine.
  static func accepts(_ address: SocketAddress, saidTo own: [HostAddress]) -> Bool {
    isAllowed(address) && isRoutable(address) && !own.contains { $0.bytes == address.bytes }
  }

  /// Whether the address means the same host on other links: it is neither loopback nor link-local.
  static func isRoutable(_ address: SocketAddress) -> Bool {
    !address.isLoopback && !address.isLinkLocal && !address.bytes.starts(with: [169, 254])
  }

  /// Adds the interface that a link-local IPv6 address needs for connecting. Other addresses stay as they are.
  static func scoped(_ address: SocketAddress, interface: Int32) -> SocketAddress? {
    guard address.isLinkLocal else { return address }
    guard let scope = UInt32(exactly: interface) else { return nil }
    return SocketAddress(bytes: address.bytes, port: address.port, scope: scope)
  }

  /// Returns the addresses with the two IP versions alternating, starting with that of the first address. If one
  /// version does not work, the other is tried second (RFC 8305, section 4).
  static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.isIPv6 == first.isIPv6 }
    let other = addresses.filter { $0.isIPv6 != first.isIPv6 }
    return (0..<max(same.count, other.count)).flatMap { index in
      [same, other].compactMap { index < $0.count ? $0[index] : nil }
    }
  }

  private static func isAllowed(_ address: SocketAddress) -> Bool {
    address.port >= Limits.lowestPort && isOneHost(address) && !isIPv4InIPv6(address)
  }

  /// Whether the address is not unspecified, multicast, broadcast or "this network".
  private static func isOneHost(_ address: SocketAddress) -> Bool {
    address.isUnicast && (address.isIPv6 || address.bytes.first != 0)
  }

  /// Whether the address is in `::ffff:0:0/96` or `::/96`, which hide an IPv4 address from the checks above. The
  /// loopback address itself does not count.
  private static func isIPv4InIPv6(_ address: SocketAddress) -> Bool {
    guard address.isIPv6, !address.isLoopback, address.bytes.prefix(10).allSatisfy({ $0 == 0 }) else { return false }
    let middle = Array(address.bytes.dropFirst(10).prefix(2))
    return middle == [0xFF, 0xFF] || middle == [0, 0]
  }
}
