// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop

/// The addresses that two machines tell each other in a session. With them, each finds the other again over any route,
/// also where discovery does not reach.
package enum SaidAddresses {
  /// What this machine says: its addresses on the interfaces that are used.
  package static func own(_ policy: InterfacePolicy) -> [String] { own(among: HostAddresses.current(), policy) }

  /// The same as 4 or 16 bytes each.
  package static func ownBytes(_ policy: InterfacePolicy) -> [[UInt8]] {
    own(policy).compactMap { SocketAddress(numericHost: $0, port: 0)?.bytes }
  }

  /// - Parameter all: The addresses of all interfaces that are up.
  static func own(among all: [HostAddress], _ policy: InterfacePolicy) -> [String] {
    Array(
      HostAddresses.announced(of: all, policy).lazy.compactMap { SocketAddress(bytes: $0.bytes, port: 0) }
        .filter(AddressFilter.isRoutable).prefix(Limits.saidAddresses).map(\.host)
    )
  }

  /// Returns where this machine may dial a peer that has said this.
  ///
  /// - Parameters:
  ///   - hosts: IP addresses as numbers. Anything else is left out.
  ///   - port: Where the peer listens.
  package static func accepted(_ hosts: [String], port: UInt16) -> [SocketAddress] {
    accepted(hosts, port: port, own: HostAddresses.current())
  }

  /// - Parameter own: The addresses of this machine.
  static func accepted(_ hosts: [String], port: UInt16, own: [HostAddress]) -> [SocketAddress] {
    hosts.prefix(Limits.saidAddresses).compactMap { SocketAddress(numericHost: $0, port: port) }
      .filter { AddressFilter.accepts($0, saidTo: own) }
  }

  /// Does the same with addresses as 4 or 16 bytes each.
  package static func accepted(_ addresses: [[UInt8]], port: UInt16) -> [SocketAddress] {
    let own = HostAddresses.current()
    return addresses.prefix(Limits.saidAddresses).compactMap { SocketAddress(bytes: $0, port: port) }
      .filter { AddressFilter.accepts($0, saidTo: own) }
  }

}
