// SPDX-License-Identifier: Apache-2.0

import Activity

/// Ports of one protocol, as a firewall's rule names them.
package struct PortRange: Equatable, Sendable {
  package enum Transport: String, Sendable {
    case tcp, udp
  }

  package let transport: Transport
  package let ports: ClosedRange<UInt16>

  package init(_ transport: Transport, _ ports: ClosedRange<UInt16>) {
    self.transport = transport
    self.ports = ports
  }

  /// - Parameters:
  ///   - text: `22866`, or `1025-65535` of firewalld, or `1714:1764` of ufw.
  ///   - transport: The name of a protocol. Others than TCP and UDP have no ports that Baton needs, and give nil.
  package init?(_ text: some StringProtocol, _ transport: some StringProtocol) {
    guard let transport = Transport(rawValue: String(transport)) else { return nil }
    let ends = Substring(text).splitScalars { $0 == "-" || $0 == ":" }.map { UInt16($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last else { return nil }
    self.init(transport, first...last)
  }

  package func contains(_ transport: Transport, _ port: UInt16) -> Bool {
    self.transport == transport && ports.contains(port)
  }
}
