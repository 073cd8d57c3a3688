import Activity
import EventLoop
import Glibc

/// An address of this machine on one interface.
struct HostAddress: Hashable, Sendable {
  let interfaceName: String
  let interface: UInt32
  /// 4 or 16 bytes.
  let bytes: [UInt8]
  let isLoopback: Bool
}

/// The addresses under which this machine is announced.
enum HostAddresses {
  /// Bridges and ends of virtual machines and containers: their networks are this machine's own.
  static let virtualPrefixes = ["docker", "virbr", "br-", "veth"]

  /// - Parameter all: The addresses of all interfaces that are up.
  /// - Returns: At most `Limits.publishedAddresses`, where one interface with many does not crowd out another.
  static func announced(of all: [HostAddress]) -> [HostAddress] {
    let usable = all.filter { address in
      let loopback = SocketAddress(bytes: address.bytes, port: 0)?.isLoopback ?? true
      return loopback == address.isLoopback
    }
    let hasPhysical = usable.contains { !$0.isLoopback && !isVirtual($0.interfaceName) }
    let chosen = usable.filter { !hasPhysical || !isVirtual($0.interfaceName) }
    var countByInterface: [UInt32: Int] = [:]
    let ranked = chosen.sorted(by: comesFirst).map { address in
      let rank = countByInterface[address.interface, default: 0]
      countByInterface[address.interface] = rank + 1
      return (rank: rank, address: address)
    }
    return ranked.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.address.interface < $1.address.interface }
      .prefix(Limits.publishedAddresses).map(\.address)
  }

  /// The addresses of all interfaces that are up, as the kernel has them now.
  static func current() -> [HostAddress] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var addresses: [HostAddress] = []
    for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
      guard let entry = entry?.pointee, entry.ifa_flags & UInt32(IFF_UP) != 0,
        let address = SocketAddress(entry.ifa_addr)
      else { continue }
      addresses.append(
        HostAddress(
          interfaceName: String(cString: entry.ifa_name),
          interface: if_nametoindex(entry.ifa_name),
          bytes: address.bytes,
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
        )
      )
    }
    return addresses.filter { $0.interface != 0 }
  }

  /// By the interface's flags, of one that has an address.
  static func isLoopback(interface: UInt32) -> Bool {
    current().contains { $0.interface == interface && $0.isLoopback }
  }

  /// The rule by which an interface of this name is not used where there are others; nil where there is none.
  static func exclusion(of name: String) -> String? {
    virtualPrefixes.first { name.hasPrefix($0) }.map { "\($0)*, virtual" }
  }

  private static func isVirtual(_ name: String) -> Bool { exclusion(of: name) != nil }

  /// By interface; within one IPv4 first, then by value, so that the same addresses give the same list.
  private static func comesFirst(_ left: HostAddress, _ right: HostAddress) -> Bool {
    if left.interface != right.interface { return left.interface < right.interface }
    if left.bytes.count != right.bytes.count { return left.bytes.count < right.bytes.count }
    return left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
