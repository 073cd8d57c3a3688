// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// An address of this machine on one interface.
struct HostAddress: Hashable, Sendable {
  let interfaceName: String
  let interface: UInt32
  /// 4 or 16 bytes.
  let bytes: [UInt8]
  let isLoopback: Bool
  /// The number of leading bits that all hosts on the link share.
  let prefixLength: Int

  init(interfaceName: String, interface: UInt32, bytes: [UInt8], isLoopback: Bool, prefixLength: Int = 0) {
    self.interfaceName = interfaceName
    self.interface = interface
    self.bytes = bytes
    self.isLoopback = isLoopback
    self.prefixLength = prefixLength
  }

  /// Whether the other address is on the same link.
  func isNeighbour(_ other: SocketAddress) -> Bool {
    guard other.bytes.count == bytes.count else { return false }
    let (whole, bits) = prefixLength.quotientAndRemainder(dividingBy: 8)
    guard other.bytes.prefix(whole) == bytes.prefix(whole) else { return false }
    guard bits > 0, whole < bytes.count else { return true }
    return (other.bytes[whole] ^ bytes[whole]) >> (8 - bits) == 0
  }
}

/// The addresses under which this machine is announced.
enum HostAddresses {
  /// The maximum number of address records of one instance. Avahi accepts 32 records in an entry group, and three of
  /// them are not addresses if the instance is announced on all interfaces.
  static let publishedAddresses = 24
  /// The maximum number of interfaces that an instance is announced on, unless it is announced on all. Each interface
  /// takes three records, and the rest of the 32 are addresses.
  static let publishedInterfaces = 6
  /// The maximum number of records that Avahi accepts in an entry group.
  static let publishedRecords = 32

  /// - Parameters:
  ///   - all: The addresses of all interfaces that are up.
  ///   - policy: Which interfaces are used.
  /// - Returns: At most `publishedAddresses` addresses. An interface with many addresses does not crowd out
  ///   another.
  static func announced(of all: [HostAddress], _ policy: InterfacePolicy) -> [HostAddress] {
    let usable = all.filter { address in
      let loopback = SocketAddress(bytes: address.bytes, port: 0)?.isLoopback ?? true
      return loopback == address.isLoopback
    }
    let policy = policy.among(usable.filter { !$0.isLoopback }.map(\.interfaceName))
    let chosen = usable.filter { policy.uses($0.interfaceName) }
    var countByInterface: [UInt32: Int] = [:]
    let ranked = chosen.sorted(by: comesFirst).map { address in
      let rank = countByInterface[address.interface, default: 0]
      countByInterface[address.interface] = rank + 1
      return (rank: rank, address: address)
    }
    return ranked.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.address.interface < $1.address.interface }
      .prefix(Self.publishedAddresses).map(\.address)
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
          isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0,
          prefixLength: SocketAddress(entry.ifa_netmask)?.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
            ?? address.bytes.count * 8
        )
      )
    }
    return addresses.filter { $0.interface != 0 }
  }

  /// The addresses on one interface.
  static func onLink(_ interface: Int32) -> [HostAddress] { current().filter { Int64($0.interface) == interface } }

  /// Decides what is announced on which interface.
  ///
  /// - Returns: The addresses, and the interfaces for the other records. If the policy excludes no interface, those
  ///   records are for all interfaces, so an interface that comes up later has them immediately.
  static func announcement(
    of all: [HostAddress],
    _ policy: InterfacePolicy
  ) -> (addresses: [HostAddress], interfaces: [Int32]) {
    let addresses = announced(of: all, policy)
    let used = Set(addresses.map(\.interface))
    guard Set(all.map(\.interface)) != used else { return (addresses, [anyInterface]) }
    let chosen = Set(used.sorted().prefix(Self.publishedInterfaces))
    let room = Self.publishedRecords - 3 * chosen.count
    return (
      Array(addresses.filter { chosen.contains($0.interface) }.prefix(room)),
      chosen.sorted().map { Int32(clamping: $0) }
    )
  }

  /// The policy as it applies to this machine's current interfaces.
  static func policy(_ policy: InterfacePolicy) -> InterfacePolicy {
    policy.among(current().filter { !$0.isLoopback }.map(\.interfaceName))
  }

  /// The names of the interfaces that are up and have a link, without loopback.
  static func links() -> Set<String> {
    let flags = UInt32(IFF_UP | IFF_RUNNING | IFF_LOOPBACK)
    let wanted = UInt32(IFF_UP | IFF_RUNNING)
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    let entries = sequence(first: list, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
    return Set(entries.filter { $0.ifa_flags & flags == wanted }.map { String(cString: $0.ifa_name) })
  }

  /// - Returns: Nil if there is no such interface.
  static func name(ofInterface index: Int32) -> String? {
    guard let index = UInt32(exactly: index) else { return nil }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }

  /// Orders addresses by interface. On each interface, IPv4 comes first, then the value counts, so that the same
  /// addresses give the same list.
  private static func comesFirst(_ left: HostAddress, _ right: HostAddress) -> Bool {
    if left.interface != right.interface { return left.interface < right.interface }
    if left.bytes.count != right.bytes.count { return left.bytes.count < right.bytes.count }
    return left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
