// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A network interface of this machine, and how discovery uses it.
package struct InterfaceReport: Equatable, Sendable {
  /// The result of sending a multicast to this machine itself.
  package enum Multicast: Equatable, Sendable {
    case heard, notHeard
    /// The multicast could not be sent; the text is the system's message.
    case notSent(String)
  }

  /// An address of the interface, and the mask of the bits that identify the network.
  package struct Network: Equatable, Sendable {
    package let address: SocketAddress
    package let mask: [UInt8]

    package init(address: SocketAddress, mask: [UInt8]) {
      self.address = address
      self.mask = mask
    }
  }

  package var name: String
  package var index: UInt32
  package var isUp: Bool
  package var isLoopback: Bool
  package var hasMulticast: Bool
  /// Whether it has no link that others share, as tailscale0, tun0 or wg0 of a VPN. A multicast reaches nobody there,
  /// whatever the interface's flags say.
  package var isPointToPoint: Bool
  /// Whether this machine is announced with an address of this interface.
  package var isUsed: Bool
  /// The rule that excludes the interface, in readable form; nil if it is used or has no address.
  package var exclusion: String?
  package var networks: [Network]
  /// The results of the multicasts, with IPv4 and with IPv6.
  package var multicasts: [Multicast] = []

  package init(
    name: String,
    index: UInt32,
    isUp: Bool = true,
    isLoopback: Bool = false,
    hasMulticast: Bool = true,
    isPointToPoint: Bool = false,
    isUsed: Bool = true,
    exclusion: String? = nil,
    networks: [Network] = []
  ) {
    self.name = name
    self.index = index
    self.isUp = isUp
    self.isLoopback = isLoopback
    self.hasMulticast = hasMulticast
    self.isPointToPoint = isPointToPoint
    self.isUsed = isUsed
    self.exclusion = exclusion
    self.networks = networks
  }

  /// Whether multicasts from the host with this address should be heard on this interface.
  package func hasOnLink(_ address: SocketAddress) -> Bool {
    if address.isLinkLocal { return address.scope == index }
    return networks.contains { network in
      network.address.bytes.count == address.bytes.count
        && zip(zip(network.address.bytes, address.bytes), network.mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
    }
  }

  /// Returns reports for all interfaces, as the kernel has them now.
  package static func current(_ policy: InterfacePolicy = InterfacePolicy()) -> [InterfaceReport] {
    let policy = HostAddresses.policy(policy)
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let used = Set(HostAddresses.announced(of: HostAddresses.current(), policy).map(\.interface))
    var reports: [String: InterfaceReport] = [:]
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let entry = entry?.pointee else { continue }
      let name = String(cString: entry.ifa_name)
      let index = if_nametoindex(entry.ifa_name)
      func has(_ flag: Int) -> Bool { entry.ifa_flags & UInt32(flag) != 0 }
      var report =
        reports[name]
        ?? InterfaceReport(
          name: name,
          index: index,
          isUp: has(IFF_UP) && has(IFF_RUNNING),
          isLoopback: has(IFF_LOOPBACK),
          hasMulticast: has(IFF_MULTICAST),
          isPointToPoint: has(IFF_POINTOPOINT),
          isUsed: used.contains(index),
          exclusion: used.contains(index) ? nil : policy.exclusion(of: name)
        )
      if let address = SocketAddress(entry.ifa_addr), let mask = SocketAddress(entry.ifa_netmask) {
        report.networks.append(Network(address: address, mask: mask.bytes))
      }
      reports[name] = report
    }
    return reports.values.sorted { $0.index < $1.index }
  }
}
