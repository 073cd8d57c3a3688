import Activity
import Glibc

/// What of this machine's network decides how it is reached: when it is another, everything is announced and looked for anew.
struct NetworkState: Equatable {
  var addresses: Set<HostAddress>
  /// Interfaces that have a link.
  var links: Set<String>
  var routes: Set<Route>

  /// - Parameter policy: Interfaces that it leaves out do not count.
  static func current(_ policy: InterfacePolicy) -> NetworkState {
    let policy = HostAddresses.policy(policy)
    return NetworkState(
      addresses: Set(HostAddresses.announced(of: HostAddresses.current(), policy)),
      links: HostAddresses.links().filter { policy.uses($0) },
      routes: Route.current().filter { policy.uses($0.interface) }
    )
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
    list(ofIPv4: read("/proc/net/route")).union(list(ofIPv6: read("/proc/net/ipv6_route")))
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

  private static func read(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Limits.routeListLength)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: length), buffer.count - length)
      }
      guard count > 0 else { break }
      length += count
    }
    return String(decoding: bytes[..<length], as: UTF8.self)
  }
}
