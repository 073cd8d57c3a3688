// SPDX-License-Identifier: Apache-2.0

/// What a firewall must let in, so that other machines find this one and connect to it.
package struct FirewallNeed: Equatable, Sendable {
  /// The port in the profiles that are installed for firewalld and ufw (`Config`), which is batond's default.
  package static let profilePort: UInt16 = 22866
  /// Multicast DNS, by which machines find each other (RFC 6762, section 2).
  package static let multicastPort: UInt16 = 5353

  /// The TCP port of batond.
  package let port: UInt16
  /// Whether this machine finds others by multicast DNS.
  package let usesMulticast: Bool

  package init(port: UInt16, usesMulticast: Bool) {
    self.port = port
    self.usesMulticast = usesMulticast
  }

  /// - Returns: Nil if batond takes any free port, which no rule can name.
  package init?(_ status: GetStatus.Reply) {
    let port = status.configuredPort ?? status.port
    guard port != 0 else { return nil }
    self.init(port: port, usesMulticast: status.discovery != .disabled)
  }

  /// The part of it that a firewall keeps out.
  package struct Missing: Equatable, Sendable {
    package var port: Bool
    package var multicast: Bool

    package init(port: Bool, multicast: Bool) {
      self.port = port
      self.multicast = multicast
    }

    package var isEmpty: Bool { !port && !multicast }
  }

  /// - Parameter allows: Whether the firewall lets in connections or packets to a port.
  func missing(_ allows: (PortRange.Transport, UInt16) -> Bool) -> Missing {
    Missing(port: !allows(.tcp, port), multicast: usesMulticast && !allows(.udp, Self.multicastPort))
  }

  /// Whether the installed profiles name its port.
  package var hasProfile: Bool { port == Self.profilePort }
}
