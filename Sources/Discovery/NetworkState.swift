import Activity

/// What of this machine's network decides how it is reached: when it is another, everything is announced and looked for anew.
struct NetworkState: Equatable {
  var addresses: Set<HostAddress>
  /// Interfaces that have a link, each with how often it was lost: the address may be the same in another network.
  var links: [String: UInt64]
  var routes: Set<Route>

  /// - Parameter policy: Interfaces that it leaves out do not count.
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

  /// As the kernel counts; 0 where it does not say.
  private static func timesLinkWasLost(_ interface: String) -> UInt64 {
    let text = KernelText.read("/sys/class/net/\(interface)/carrier_down_count", limit: 32)
    return text.split(separator: "\n").first.flatMap { UInt64($0) } ?? 0
  }
}

/// A route of this machine, as far as it tells one network from another.
struct Route: Hashable {
  let interface: String
  /// In the kernel's hexadecimal notation.
  let destination: String
  let gateway: String

  /// Of the kernel's lists, `Limits.routes` at most of each.
  static func current() -> Set<Route> {
    list(ofIPv4: KernelText.read("/proc/net/route", limit: Limits.routeListLength))
      .union(list(ofIPv6: KernelText.read("/proc/net/ipv6_route", limit: Limits.routeListLength)))
  }

  /// - Parameter text: Of /proc/net/route: a header, then interface, destination, gateway, …, mask in column 8.
  static func list(ofIPv4 text: String) -> Set<Route> {
    Set(
      text.split(separator: "\n").dropFirst().prefix(Limits.routes).compactMap { line in
        let columns = line.split { $0 == "\t" || $0 == " " }
        guard columns.count > 7 else { return nil }
        return Route(
          interface: String(columns[0]),
          destination: "\(columns[1])/\(columns[7])",
          gateway: String(columns[2])
        )
      }
    )
  }

  /// - Parameter text: Of /proc/net/ipv6_route: destination, its length, source, its length, gateway, …, interface.
  static func list(ofIPv6 text: String) -> Set<Route> {
    Set(
      text.split(separator: "\n").prefix(Limits.routes).compactMap { line in
        let columns = line.split(separator: " ")
        // Groups and link-local routes come and go with the link.
        guard columns.count > 9, columns[9] != "lo", !columns[0].hasPrefix("ff"), !columns[0].hasPrefix("fe80") else {
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
