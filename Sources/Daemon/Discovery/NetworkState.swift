// SPDX-License-Identifier: Apache-2.0

import Activity

/// The parts of this machine's network that decide how it can be reached. If they change, everything is announced and
/// looked for again.
struct NetworkState: Equatable {
  var addresses: Set<HostAddress>
  /// The interfaces that have a link, each with how often the link was lost. The address can be the same in another
  /// network.
  var links: [String: UInt64]
  var routes: Set<Route>

  /// - Parameter policy: The interfaces that it excludes are ignored.
  static func current(_ policy: InterfacePolicy) -> NetworkState {
    let policy = HostAddresses.policy(policy)
    return NetworkState(
      addresses: Set(HostAddresses.announced(of: HostAddresses.current(), policy)),
      links: Dictionary(
        uniqueKeysWithValues: HostAddresses.links().filter { policy.uses($0) }.map { ($0, timesLinkWasLost($0)) }
      ),
      routes: Route.current().filter { policy.uses($0.interface) }
    )
  }

  /// Returns the kernel's count; 0 if it does not provide one.
  private static func timesLinkWasLost(_ interface: String) -> UInt64 {
    let text = KernelText.read("/sys/class/net/\(interface)/carrier_down_count", limit: 32)
    return text.split(atScalar: "\n").first.flatMap { UInt64($0) } ?? 0
  }
}

/// A route of this machine, reduced to what distinguishes one network from another.
struct Route: Hashable {
  /// The maximum number of routes per IP version that are compared to notice a change of network. A laptop has about
  /// ten, and only a router has more than this.
  static let routes = 256
  /// The maximum number of bytes that are read from the kernel's list of routes: 1,000 routes of IPv6.
  private static let routeListLength = 160 * 1024

  let interface: String
  /// In the kernel's hexadecimal notation.
  let destination: String
  let gateway: String

  /// Returns the routes in the kernel's lists, at most `routes` of each.
  static func current() -> Set<Route> {
    list(ofIPv4: KernelText.read("/proc/net/route", limit: Self.routeListLength))
      .union(list(ofIPv6: KernelText.read("/proc/net/ipv6_route", limit: Self.routeListLength)))
  }

  /// - Parameter text: The content of /proc/net/route: a header line, then interface, destination, gateway, …, and the
  ///   mask in column 8.
  static func list(ofIPv4 text: String) -> Set<Route> {
    Set(
      text.split(atScalar: "\n").dropFirst().prefix(Self.routes).compactMap { line in
        let columns = line.splitScalars(where: { $0 == "\t" || $0 == " " })
        guard columns.count > 7 else { return nil }
        return Route(
          interface: String(columns[0]),
          destination: "\(columns[1])/\(columns[7])",
          gateway: String(columns[2])
        )
      }
    )
  }

  /// - Parameter text: The content of /proc/net/ipv6_route: destination, its length, source, its length, gateway, …,
  ///   interface.
  static func list(ofIPv6 text: String) -> Set<Route> {
    Set(
      text.split(atScalar: "\n").prefix(Self.routes).compactMap { line in
        let columns = line.split(atScalar: " ")
        // Multicast and link-local routes come and go with the link.
        guard columns.count > 9, columns[9] != "lo", !columns[0].starts(withBytesOf: "ff"),
          !columns[0].starts(withBytesOf: "fe80")
        else {
          return nil
        }
        return Route(
          interface: String(columns[9]),
          destination: "\(columns[0])/\(columns[1])",
          gateway: String(columns[4])
        )
      }
    )
  }
}
