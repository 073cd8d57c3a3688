import Activity
import EventLoop

/// The addresses that devices tell each other, sealed.
package enum ToldAddresses {
  /// The addresses on which this machine listens and can be reached from other networks: 4 or 16 bytes each.
  package static func own(_ policy: InterfacePolicy) -> [[UInt8]] {
    HostAddresses.announced(of: HostAddresses.current(), policy).map(\.bytes).filter { bytes in
      SocketAddress(bytes: bytes, port: Limits.lowestPort).map(accepts) ?? false
    }
  }

  /// Whether an address that a device has told is dialled: that of one host, on another network.
  package static func accepts(_ address: SocketAddress) -> Bool {
    address.port >= Limits.lowestPort && AddressFilter.isOneHost(address) && !AddressFilter.isIPv4InIPv6(address)
      && !address.isLoopback && !address.isLinkLocal
  }

  /// Whether an address is on one of this machine's links.
  package static func isNeighbour(_ address: SocketAddress) -> Bool {
    address.isLinkLocal || address.isLoopback || HostAddresses.current().contains { $0.isNeighbour(address) }
  }
}
